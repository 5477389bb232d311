import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const tsc = resolve(import.meta.dirname, '../../node_modules/.bin/tsc');
const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-types-')));

const library = `
import { type Evidence, KernelError, openKernel } from 'cuervo';
await using kernel = await openKernel({ workspace: '.' });
const found: Evidence[] = [];
for await (const event of kernel.ask('where?', {})) {
  if (event.type === 'answer') found.push(...event.evidence);
}
if (found.length === 0) throw new KernelError('not-found', 'nothing');
`;
const plugin = `
import { definePlugin, fs, v } from '@cuervo/sdk';
export default definePlugin({
  name: 'count',
  version: '0.1.0',
  description: 'Counts.',
  wants: [{ capability: 'fs', why: 'reads' }],
  tools: [
    {
      name: 'count',
      description: 'Counts.',
      effect: 'read',
      input: v.object({ path: v.string() }),
      examples: [{ path: 'work:a' }],
      run: ({ path }) => {
        const text: string = fs.readText(path).text;
        return { content: { length: text.length }, summary: path };
      },
    },
  ],
});
`;

beforeAll(() => {
  const { cuervo, sdk } = inject('tarballs');
  writeFileSync(join(dir, 'package.json'), '{"name":"stranger","type":"module"}');
  const words = ['install', '--omit=optional', '--prefer-offline', cuervo, sdk];
  const { status, stderr } = spawnSync('npm', words, { cwd: dir, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}, 300_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** @returns what the compiler says of a program in a project of its own */
function compile(name: string, source: string, resolution: string): string {
  const folder = join(dir, `${name}-${resolution}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'main.ts'), source);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  return spawnSync(tsc, ['-p', folder], { encoding: 'utf8' }).stdout;
}

describe.each(['nodenext', 'bundler'])('a project of a stranger, with %s', (resolution) => {
  it.each([
    ['cuervo', library],
    ['@cuervo/sdk', plugin],
  ])('compiles what it writes with %s', (name, source) => {
    expect(compile(name.replace('/', '-'), source, resolution)).toBe('');
  });

  it.each([
    ['cuervo', library.replace("'where?'", '7')],
    ['@cuervo/sdk', plugin.replace('fs.readText(path)', 'fs.readText(7)')],
  ])('is told of a wrong call of %s', (name, source) => {
    expect(compile(`wrong-${name.replace('/', '-')}`, source, resolution)).toMatch(/TS2345/);
  });
});
