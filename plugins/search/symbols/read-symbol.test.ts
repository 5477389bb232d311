import { describe, expect, it } from 'vitest';
import { readSymbol } from './read-symbol.ts';

/** `line | kind name`, or `line |` where nothing is defined; a snippet a language. */
const snippets: Readonly<Record<string, string>> = {
  'a.ts': `
export class LruCache<Key, Value> { | class LruCache
export default abstract class Base extends Other { | class Base
export interface Store extends Disposable { | interface Store
export type Codec<T> = { | type Codec
type Alias = string; | type Alias
export const enum Level { | enum Level
declare module 'x-y' { | module x-y
export async function* walkTree( | function walkTree
export default function main(): void { | function main
export const retry = async <T>( | function retry
const double = (a: number): number => a * 2; | function double
export const handler: Handler = (event) => { | function handler
export const maxRetries = 5; | constant maxRetries
  private readonly onClose = (): void => this.close(); | method onClose
  async close(force = false): Promise<void> { | method close
  get size(): number { | method size
  static from(value: unknown): Store { | method from
  #flush() { | method #flush
  if (ready) { |
  } else if (x) { |
  return build(a, () => { |
  const local = 5; |
  await run(x); |
  for (const x of y) { |
import { close } from './close.ts'; |
  close(force); |
 * class of a comment |
// function gone() { |
type: 'x', |`,
  'a.js': `
module.exports.parse = function (text) { | function parse
Router.prototype.use = function use(fn) { | function use
function* gen() { | function gen
var app = express(); | constant app
  render: function () { | method render
switch (a) { |`,
  'a.py': `
class JobQueue(Base): | class JobQueue
def main(): | function main
    async def fetch(self, url): | method fetch
    def __init__(self): | method __init__
MAX_SIZE: int = 10 | constant MAX_SIZE
type Pair[T] = tuple[T, T] | type Pair
    class of things that |
    E088 = ("too long" | constant E088
    LIMIT: int = 5 | constant LIMIT
    return fetch(x) |
if a == b: |
    value = 5 |
import fetch |`,
  'a.pyx': `
cdef class Vocab: | class Vocab
cdef class Pool(Base): | class Pool
    cdef int _count(self, str text) except -1: | method _count
    cpdef np.ndarray vectors(self, Doc doc): | method vectors
cdef inline bint is_space(attr_t flag) nogil: | function is_space
cdef struct Token: | struct Token
ctypedef enum Attr: | enum Attr
ctypedef unsigned long hash_t | type hash_t
    cdef int count = 0 |
    cdef Doc doc = Doc(self) |`,
  'a.go': `
func main() { | function main
func (s *Server) Handle(w http.ResponseWriter) { | method Handle
func Map[T any](in []T) []T { | function Map
type Server struct { | struct Server
type Handler interface { | interface Handler
type ID string | type ID
const maxRetries = 5 | constant maxRetries
	StateIdle State = iota | constant StateIdle
	return fmt.Sprint(x) |
	x := build() |
	if err != nil { |`,
  'a.rs': `
pub fn parse(input: &str) -> Result<()> { | function parse
    pub(crate) async fn run(&self) { | method run
pub struct Config { | struct Config
struct Unit; | struct Unit
pub enum Kind { | enum Kind
pub trait Visit { | trait Visit
type Result<T> = std::result::Result<T, Error>; | type Result
mod tests { | module tests
macro_rules! vec_of { | macro vec_of
pub const MAX: usize = 5; | constant MAX
static mut COUNT: u32 = 0; | constant COUNT
impl Visit for Config { |
    let x = run(); |
use crate::parse; |
    match kind { |`,
  'A.java': `
public final class Cache<K, V> implements Store<K> { | class Cache
public interface Store<K> { | interface Store
public enum Level { LOW, HIGH } | enum Level
public record Point(int x, int y) {} | class Point
@interface Marker { | interface Marker
    public Map<String, List<V>> readAll(Path from) throws IOException { | method readAll
    public Cache(int size) { | method Cache
    private static <T> T pick(List<T> of) { | method pick
    void close(); | method close
    private static final int MAX_SIZE = 10; | constant MAX_SIZE
        return build(x); |
        throw new IllegalStateException("x"); |
        if (x) { |
        Foo foo = new Foo(); |
        while (it.hasNext()) { |`,
  'a.kt': `
data class User(val name: String) | class User
object Registry { | class Registry
sealed interface Event | interface Event
fun main() { | function main
    suspend fun String.load(): Int = 5 | method load
const val MAX = 5 | constant MAX
expect sealed interface Sink : Source { | interface Sink
internal actual open class Bytes | class Bytes
fun interface Listener { | interface Listener
typealias Names = List<String> | type Names
enum class Level { LOW } | enum Level
        return load() |`,
  'a.c': `
#define MAX_SIZE 10 | macro MAX_SIZE
static int read_all(struct buf *b, size_t n) | function read_all
struct buf *buf_new(void) | function buf_new
struct buf { | struct buf
typedef struct node { | struct node
typedef unsigned long id_t; | type id_t
typedef int (*callback)(void *); | type callback
} node_t; | type node_t
enum level { | enum level
static const int limits[] = { | constant limits
main(int argc, char **argv) { | function main
	return read_all(b, n); |
	if (x) { |
	read_all(b, 5); |
#include "buf.h" |
else if (y) |
struct buf *b; |`,
  'a.h': `
int read_all(struct buf *b, size_t n); | function read_all
    virtual void draw() const = 0; | method draw
  default: FMT_THROW(error("bad")); |
  fmt::view get(int at) const; | method get
    return x; |`,
  'a.cpp': `
void Server::handle(const Request &r) { | method handle
Server::~Server() { | method ~Server
template <typename T> class Pool { | class Pool
class Server final : public Base { | class Server
enum class Kind { | enum Kind
namespace net { | module net
using Names = std::vector<std::string>; | type Names
constexpr int kMax = 5; | constant kMax
std::string join(const std::vector<std::string> &parts) { | function join
    int size() const { return n; } | method size
    handle(r); |
  for (auto &x : xs) { |
class Forward; |`,
  'a.rb': `
class User < ApplicationRecord | class User
module Billing | module Billing
  def self.find(id) | method find
  def valid? | method valid?
def main | function main
  attr_reader :name | method name
MAX = 5 | constant MAX
  return find(x) |
  x = 5 |`,
  'a.php': `
final class Router extends Base | class Router
interface Store | interface Store
trait Logs | trait Logs
    public static function make(array $a): self | method make
function helper($x) { | function helper
    const MAX = 5; | constant MAX
define('ROOT', __DIR__); | constant ROOT
    return make($a); |
    if ($x) { |`,
  'a.sh': `
build() { | function build
function deploy { | function deploy
export ROOT=/srv | constant ROOT
if test -f x; then |
build "$1" |`,
  'a.cs': `
public class Service : IService { | class Service
    public async Task<int> Run(string name) { | method Run
public interface IService { | interface IService
namespace App.Core; | module App.Core
        return Run(name); |`,
  'a.swift': `
struct Point { | struct Point
protocol Shape { | interface Shape
    func area() -> Double { | method area
extension Point { | class Point`,
  'a.sql': `
CREATE TABLE IF NOT EXISTS public.users ( | table users
create or replace function total(x int) | function total
SELECT * FROM users; |`,
  'a.lua': `
local function trim(s) | function trim
function M.parse(text) | function parse
  return trim(s) |`,
  'a.ex': `
defmodule App.Queue do | module Queue
  def push(item) do | function push`,
  'a.proto': `
message Order { | struct Order
  rpc Place(Order) returns (Receipt); | method Place`,
  'a.wit': `
interface fs { | interface fs
  stat: func(path: string) -> result<entry>; | function stat
  record entry { | type entry`,
  Makefile: `
build: src | function build
CC := gcc | constant CC
	gcc -o x |`,
};

const rows = Object.entries(snippets).flatMap(([path, snippet]) =>
  snippet
    .slice(1)
    .split('\n')
    .map((row) => {
      const at = row.lastIndexOf('|');
      return { path, text: row.slice(0, at - 1), expected: row.slice(at + 1).trim() };
    }),
);

describe('readSymbol()', () => {
  it.each(rows)('reads $path: $text', ({ path, text, expected }) => {
    const symbol = readSymbol({ path, line: 1, text });
    expect(symbol === undefined ? '' : `${symbol.kind} ${symbol.name}`).toBe(expected);
  });

  it('skips other files, and lines that are too long', () => {
    expect(readSymbol({ path: 'a.txt', line: 1, text: 'class A {' })).toBeUndefined();
    const long = `class A ${'x'.repeat(500)} {`;
    expect(readSymbol({ path: 'a.ts', line: 1, text: long })).toBeUndefined();
  });

  it('ends soon on lines that are made to take long', () => {
    for (const text of ['(', 'a ', 'a<', '*', 'static ', 'a::', 'x.', '@a() '].map((each) =>
      each.repeat(Math.floor(399 / each.length)),
    )) {
      for (const path of Object.keys(snippets)) readSymbol({ path, line: 1, text });
    }
    expect(rows.length).toBeGreaterThan(150);
  });
});
