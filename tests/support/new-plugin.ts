import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Place } from './place.ts';

/** Nothing of the template is left to be replaced in what `plugin new` made. */
export function expectNamed(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!/\.(md|ts|js|json|toml|rs|go|c|py)$/.test(name) || name.includes('node_modules')) continue;
    expect(readFileSync(path, 'utf8'), name).not.toMatch(/my-tool|@@/);
  }
}

/** The new plugin `my-words`, built, reads `notes.txt` of three words with a grant and only so. */
export async function expectGranted(place: Place): Promise<void> {
  const file = 'my-words/dist/my-words.wasm';
  const call = ['run', '--plugin', file, 'count-file', 'path=notes.txt'];
  const denied = await place.cuervo(call);
  expect(denied.code).toBe(3);
  const ran = await place.cuervo([...call, '--allow', 'fs:work']);
  expect(JSON.parse(ran.stdout)).toEqual({ words: 3 });
}
