import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { effectAllows, effectUses, hostCalls } from './capability.ts';
import { effects } from './tool.ts';

/** `interface.function` of everything that `wit/host/host.wit` declares. */
async function declaredCalls(): Promise<string[]> {
  const text = await readFile(new URL('../../wit/host/host.wit', import.meta.url), 'utf8');
  let inside = '';
  return text.split('\n').flatMap((line) => {
    inside = /^interface ([a-z-]+)/.exec(line)?.[1] ?? inside;
    const name = /^ {2}%?([a-z-]+): func\(/.exec(line)?.[1];
    return name === undefined ? [] : [`${inside}.${name}`];
  });
}

describe('effectAllows()', () => {
  it('knows every host call of the contract and no other', async () => {
    const declared = await declaredCalls();
    expect(declared.length).toBeGreaterThan(20);
    expect([...hostCalls].sort()).toEqual(declared.sort());
  });

  it.each([
    ['log.write', 'pure'],
    ['fs.read-text', 'read'],
    ['fs.tally', 'read'],
    ['clock.now-ms', 'read'],
    ['random.bytes', 'read'],
    ['kv.get', 'read'],
    ['kv.keys', 'read'],
    ['memory.search', 'read'],
    ['fs-write.remove', 'write'],
    ['kv.set', 'write'],
    ['kv.delete', 'write'],
    ['memory.remember', 'write'],
    ['exec.run', 'external'],
    ['http.send', 'external'],
    ['http.secret-exists', 'external'],
  ] as const)('allows %s from %s upwards', (call, least) => {
    const allowed = effects.filter((effect) => effectAllows(effect, call));
    expect(allowed).toEqual(effects.slice(effects.indexOf(least)));
  });

  it.each(['', 'fs', 'fs.', 'fs.readText', 'toString', '__proto__', 'types.host-error'])(
    'never allows the unknown call %j',
    (call) => {
      expect(effects.some((effect) => effectAllows(effect, call))).toBe(false);
    },
  );
});

describe('effectUses()', () => {
  it.each([
    ['read', 'fs', true],
    ['read', 'fs-write', false],
    ['write', 'fs-write', true],
    ['write', 'exec', false],
    ['external', 'exec', true],
    ['pure', 'log', true],
    ['pure', 'kv', false],
    ['external', 'network', false],
  ] as const)('%s and %s: %s', (effect, capability, uses) => {
    expect(effectUses(effect, capability)).toBe(uses);
  });
});
