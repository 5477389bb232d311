import { stemWord } from './stem-word.ts';

/** Words that stand for the same thing in programs; each line is one group. */
const groups = `
abort cancel interrupt stop
add append insert push
allow permit enable accept
anonymous unnamed
application app
argument arg param parameter
array list
asynchronous async await promise
attempt retry
attribute attr
authentication auth authenticate authorization login credential
begin start
boolean bool
buffer buf
byte octet
calculate compute calc
call invoke
case switch
catch rescue except
change modify update mutate
character char rune
check validate verify assert ensure
choose select pick
circular cyclic cycle recursive
clean cleanup clear purge
clone copy duplicate
close dispose shutdown
collapse fold
colour ansi style
combine join concat merge
command cmd
compare equal equality
compile build
compress gzip deflate
configuration config setting option preference
connect conn connection
context ctx
convert transform cast coerce
count number num
create make new build
database db
date time
decode parse unmarshal deserialize
default fallback
delay wait sleep backoff
delete remove unlink drop
dependency import require
destination dest dst target
detect recognise sniff infer guess
dictionary dict map
directory dir folder
disallow forbid deny refuse reject
document doc
duplicate repeated unique dedupe
empty blank
encode serialize stringify marshal dump
environment env
error err exception fail failure
escape quote
event emit listener
execute exec run
expire expiry ttl stale
expression expr
fetch load retrieve
field property prop member
find search lookup locate
float double decimal
format fmt
function fn func method
generate gen
group cluster
hash digest checksum
header head
hexadecimal hex
hidden hide mask secret
identifier id name
ignore skip omit exclude
image img
increase increment grow
index idx position offset
information info
initialize init setup
input stdin
integer int
key field
language lang locale
length len size
limit max maximum cap threshold
link href url symlink
log logger logging
loop iterate iterator
lower lowercase
mandatory required
match pattern
memory heap
message msg
minimum min
missing absent undefined
move rename
multiple multi
network socket net
null nil none
object obj
operation op
order sort
original orig
output stdout
password passwd passphrase
path filename
percent ratio
permission access mode
pointer ptr
previous prev
print display show render write
priority precedence
process proc
query search
queue fifo buffer
random rand
raise throw
reference ref
regex regexp regular
release free
remember cache memoize
replace substitute
repository repo
request req
reset restore
resolve lookup
response resp res reply answer
result ret
return yield
reuse pool recycle
reverse invert
round floor ceil
schedule timer cron
sentinel marker
separator sep delimiter
sequence seq
session sess
shorten truncate clip abbreviate
signature sign
source src
specification spec
split divide separate
statistics stats metrics
status state
store save persist
stream pipe
string str text
synchronize sync lock mutex
table grid
temporary temp tmp
terminal tty console
thread worker goroutine
throttle rate
timeout deadline
token credential
translate i18n
trim strip
type kind
uppercase upper capitalize
user account
utility util helper
variable var
vector array
version revision
warn warning
whitespace blank space
width columns
alive heartbeat ping keepalive
answer response reply
ancestor parent
border boundary edge
broken corrupt malformed invalid
chunk part segment block piece
clever smart
constraint rule
crash panic abort
cyclic recursive recursion
deep depth nested nesting level
drop discard
edge border boundary
elapsed duration long length
exit leave break
fold collapse
forward proxy redirect
further next more
height tall high
leading prefix
legacy old deprecated
mistake error invalid wrong
notify publish emit
page pagination paginate cursor
pair tuple entry
parallel concurrent concurrency simultaneous
plain raw
register subscribe
renew refresh rotate
safe sanitize
similar fuzzy distance
spell typo misspelled
structure shape layout
suffix trailing ending
symbolic symlink
traverse walk visit
unique uuid guid id
unknown unrecognized unsupported
web browser dom
wide width
wildcard glob pattern
`;

const related = new Map<string, Set<string>>();
for (const line of groups.trim().split('\n')) {
  const words = line.trim().split(' ');
  for (const word of words) {
    for (const stem of stemWord(word)) {
      const others = related.get(stem) ?? new Set<string>();
      for (const other of words)
        if (other !== word) for (const form of stemWord(other)) others.add(form);
      related.set(stem, others);
    }
  }
}

/**
 * Beginnings of words that mean nearly the same in programs, abbreviations included.
 *
 * @param stems of one word, as `stemWord` gives them
 */
export function relatedWords(stems: readonly string[]): string[] {
  const found = new Set<string>();
  for (const stem of stems) for (const other of related.get(stem) ?? []) found.add(other);
  return [...found].filter((other) => !stems.some((stem) => other.startsWith(stem)));
}
