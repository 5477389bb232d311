import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace } from '../support/place.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (file: string): string =>
  readFileSync(join(root, 'wit', file), 'utf8').replace(/\/\/\/?.*$/gm, '');

/** Interface -> its declarations, one string each, without comments and line breaks. */
function declarations(wit: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, name = '', body = ''] of wit.matchAll(/^interface ([\w-]+) \{\n(.*?)^\}/gms)) {
    const parts = body.split(/(?<=[;}])\n/).map((part) => part.replace(/\s+/g, ' ').trim());
    found.set(
      name,
      parts.filter((part) => part !== ''),
    );
  }
  return found;
}

/** What the frozen text has and the current one does not. */
function missing(frozen: string, current: string): string[] {
  const now = declarations(current);
  return [...declarations(frozen)].flatMap(([name, parts]) =>
    parts
      .filter((part) => now.get(name)?.includes(part) !== true)
      .map((part) => `${name}: ${part}`),
  );
}

describe('WIT 0.1, which is frozen', () => {
  it.each([
    ['since-0.1/host.wit', 'host/host.wit'],
    ['since-0.1/plugin.wit', 'plugin/plugin.wit'],
  ])('has nothing in %s that %s has no more', (frozen, current) => {
    expect(declarations(textOf(frozen)).size).toBeGreaterThan(0);
    expect(missing(textOf(frozen), textOf(current))).toEqual([]);
  });

  it('tells a function that was changed', () => {
    const frozen = textOf('since-0.1/host.wit');
    const changed = frozen.replace('stat: func(path: string)', 'stat: func(at: string)');
    expect(missing(frozen, changed)).toEqual([
      'fs: stat: func(path: string) -> result<entry, host-error>;',
    ]);
  });

  it('runs a plugin that was built for it', async () => {
    using place = openPlace({ 'notes.txt': 'the first line' });
    const file = join(root, 'tests/fixtures/wit-0.1/first-lines.wasm');
    await place.cuervo(['plugin', 'install', file, '--yes']);
    const ran = await place.cuervo(['run', 'first-lines.go', '{}', '--allow', 'fs:work']);
    expect(ran.stderr).toContain('read');
    expect(ran.stdout).toBe('the first line\n');
    expect((await place.cuervo(['run', 'first-lines.go', '{}'])).exitCode).not.toBe(0);
  });
});
