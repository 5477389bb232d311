import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/load-config.ts';
import { createProgramLookUp } from './look-up-programs.ts';

let dir: string;
let told: string[];
let asked: string[];
let kept: Record<string, unknown>;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-lookups-')));
  told = [];
  asked = [];
  kept = {};
  for (const folder of ['home', 'work', 'own']) mkdirSync(join(dir, folder), { mode: 0o755 });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function putOwn(name: string): string {
  const path = join(dir, 'own', name);
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o755);
  return path;
}

/** Looks a program up, as a tool that wants to start it does. */
async function look(
  program: string,
  { path = [join(dir, 'own'), '/usr/bin'], says }: { path?: string[]; says?: boolean } = {},
): Promise<string> {
  const config = loadConfig(
    { home: join(dir, 'home'), workspace: join(dir, 'work') },
    { PATH: path.join(':') },
    dir,
  );
  const { lookUp } = createProgramLookUp({
    config,
    commandRules: () => [],
    store: async () =>
      ({
        getSetting: (key: string) => kept[key],
        setSetting: (key: string, value: unknown) => {
          kept[key] = value;
        },
      }) as never,
    askYesNo:
      says === undefined
        ? undefined
        : async (text) => {
            asked.push(text);
            return says;
          },
    warn: (text) => told.push(text),
  });
  const place = { folders: { work: join(dir, 'work') }, cwd: 'work:' };
  const caller = { plugin: 'shell', digest: '', signal: new AbortController().signal };
  return (await lookUp(program, place, caller)).path;
}

describe.skipIf(!existsSync('/usr/bin/env'))('a program that the system and the PATH have', () => {
  it('is that of the system where nobody can be asked, which a note says', async () => {
    const own = putOwn('env');
    expect(await look('env')).toBe('/usr/bin/env');
    expect(told).toEqual([
      `program "env" is /usr/bin/env; your PATH has "${own}", where cuervo looks with this line in config.toml: programs.path = "user"`,
    ]);
  });

  it('is what a person says, who is asked once', async () => {
    const own = putOwn('env');
    expect(await look('env', { says: true })).toBe(own);
    expect(asked).toEqual([
      expect.stringContaining(`of the system is /usr/bin/env. Your PATH has "${own}"`),
    ]);
    expect(await look('env', { says: false })).toBe(own);
    expect(asked).toHaveLength(1);
    kept = {};
    expect(await look('env', { says: false })).toBe('/usr/bin/env');
    expect(await look('env', { says: true })).toBe('/usr/bin/env');
    expect(asked).toHaveLength(2);
    expect(told).toEqual([]);
  });

  it('is nothing to speak of where the PATH finds that of the system first, or no other', async () => {
    expect(await look('env', { says: true })).toBe('/usr/bin/env');
    putOwn('env');
    const path = ['/usr/bin', join(dir, 'own')];
    expect(await look('env', { path, says: true })).toBe('/usr/bin/env');
    writeFileSync(join(dir, 'home/config.toml'), 'programs.path = "system"\n');
    expect(await look('env', { says: true })).toBe('/usr/bin/env');
    expect({ asked, told }).toEqual({ asked: [], told: [] });
  });
});
