import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { asciiFirst } from './ascii-first.ts';

const source = String.raw`
  const name = /^\p{L}+$/u;
  const part = (form: string): RegExp => new RegExp(form, 'u');
  export const isName = (text: string): boolean => name.test(text);
  export const firstOf = (text: string): string | undefined => /\p{Lu}/u.exec(text)?.[0];
  export const allOf = (text: string): string[] => text.match(/\p{N}/gu) ?? [];
  export const isPart = (text: string): boolean => part('^\\p{L}{2}$').test(text);
  export const isPlain = (text: string): boolean => /^[a-z]$/.test(text);
  export const found = name;
`;

describe('asciiFirst', () => {
  it('takes the patterns of what reads questions, and those of no other source', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'cuervo-ascii-first-'));
    const bundled = async (part: string) => {
      mkdirSync(join(folder.path, 'src', part), { recursive: true });
      const outfile = join(folder.path, `${part}.mjs`);
      const entry = join(folder.path, 'src', part, 'names.ts');
      writeFileSync(entry, source);
      const plugins = [asciiFirst];
      await build({ bundle: true, format: 'esm', outfile, plugins, entryPoints: [entry] });
      return await import(pathToFileURL(outfile).href);
    };
    const [router, guard] = [await bundled('router'), await bundled('guard')];
    expect(router.found.constructor.name).toBe('AsciiFirst');
    expect(guard.found.constructor).toBe(RegExp);
    for (const made of [router, guard]) {
      expect(['ab', 'äb', 'a1'].map(made.isName)).toEqual([true, true, false]);
      expect(['aB', 'aÉ', 'ab'].map(made.firstOf)).toEqual(['B', 'É', undefined]);
      expect(made.allOf('1 ٣')).toEqual(['1', '٣']);
      expect(['ab', 'éß', 'a-'].map(made.isPart)).toEqual([true, true, false]);
      expect(made.isPlain('a')).toBe(true);
    }
  });
});
