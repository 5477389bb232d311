import { describe, expect, it } from 'vitest';
import { definedName } from './find-definitions.ts';

describe('definedName()', () => {
  it.each([
    ['export async function openKernel(options) {', 'openKernel'],
    ['export type Plugin = {', 'Plugin'],
    ['  def parse_args(self, ctx):', 'parse_args'],
    ['func (c *Context) ClientIP() string {', 'ClientIP'],
    ['pub(crate) fn build_many(', 'build_many'],
    ['impl<T> Matcher for RegexMatcher {', 'Matcher'],
    ['  public static final int MAX_DEPTH = 255;', 'MAX_DEPTH'],
    ['  private static void writeEscaped(String text) {', 'writeEscaped'],
    ['res.send = function send(body) {', 'send'],
    ['const maxRetries = 3;', 'maxRetries'],
    ['DEFAULT_LIMITS = Limits(max=100)', 'DEFAULT_LIMITS'],
    ['static int read_line(FILE *in)', 'read_line'],
    ['  async *walk(path: string) {', 'walk'],
  ])('%s defines %s', (line, name) => {
    expect(definedName(line)).toBe(name);
  });

  it.each([
    '  if (ready) {',
    '  return parse(text);',
    '// function of the year',
    ' * class of errors',
    '} else {',
    'for (const x of xs) {',
  ])('%s defines nothing', (line) => {
    expect(definedName(line)).toBeUndefined();
  });
});
