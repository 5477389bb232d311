import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptComponents } from './load-build-tool.ts';

let folder: string;
beforeEach(() => {
  folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-kept-'))), 'components');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

/** What was made for each call of `keep`, in their order; nothing where it was kept. */
function keeper() {
  const made: string[] = [];
  const keep = async (inputs: readonly string[], tool = 'tool', gives = inputs.join()) => {
    const bytes = await keptComponents(folder, tool)(inputs, async () => {
      made.push(gives);
      return Buffer.from(gives);
    });
    return Buffer.from(bytes).toString();
  };
  return { made, keep };
}
const files = (): string[] => readdirSync(folder).map((name) => join(folder, name));

describe('keptComponents()', () => {
  it('gives what the same tool made of the same inputs, and makes all else', async () => {
    const { made, keep } = keeper();
    for (const inputs of [['a', 'b'], ['a', 'b'], ['ab'], ['b', 'a']])
      expect(await keep(inputs)).toBe(inputs.join());
    await keep(['a', 'b'], 'another tool');
    expect(made).toEqual(['a,b', 'ab', 'b,a', 'a,b']);
  });

  it('makes again what was changed or cut on the disk', async () => {
    const { made, keep } = keeper();
    await keep(['a']);
    const [file = ''] = files();
    const bytes = readFileSync(file);
    for (const damaged of [Buffer.concat([bytes, Buffer.from('x')]), bytes.subarray(0, 10)]) {
      writeFileSync(file, damaged);
      expect(await keep(['a'])).toBe('a');
    }
    expect(made).toHaveLength(3);
    expect(await keep(['a'])).toBe('a');
    expect(made).toHaveLength(3);
  });

  it.skipIf(process.platform === 'win32')('takes nothing that others can write', async () => {
    const { made, keep } = keeper();
    await keep(['a']);
    const [file = ''] = files();
    for (const path of [folder, file]) {
      chmodSync(path, 0o777);
      await keep(['a']);
      chmodSync(path, 0o700);
    }
    expect(made).toHaveLength(3);
    await keep(['a']);
    expect(made).toHaveLength(3);
  });

  it('drops what was used longest ago', async () => {
    const { made, keep } = keeper();
    const large = 'x'.repeat(30 * 1024 * 1024);
    for (const name of ['a', 'b', 'c', 'a', 'd']) await keep([name], 'tool', name + large);
    expect(files()).toHaveLength(3);
    for (const name of ['a', 'b']) await keep([name], 'tool', name + large);
    expect(made.map(([name]) => name)).toEqual(['a', 'b', 'c', 'd', 'b']);
  });

  it('makes it all the same where it cannot be kept', async () => {
    writeFileSync(folder, 'a file');
    const { made, keep } = keeper();
    expect(await keep(['a'])).toBe('a');
    expect(await keep(['a'])).toBe('a');
    expect(made).toHaveLength(2);
  });
});
