import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rehearseProgram } from '../../src/build/rehearse-program.ts';
import { openPluginStore } from '../../src/host/install/plugin-store.ts';
import { compileScript } from '../../src/host/install/transpile/transpile-component.ts';
import { engineFlags } from '../../src/sandbox/engine-flags.ts';
import { programFiles } from '../../src/sandbox/plugin-sandbox.ts';
import { createProcessSandbox } from '../../src/sandbox/process-sandbox.ts';

const dist = resolve(import.meta.dirname, '../../dist');
const folder = mkdtempSync(join(tmpdir(), 'cuervo-code-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that says whether the engine that runs it takes the code of a script. */
const asker = join(folder, 'asker.cjs');
writeFileSync(
  asker,
  `const { readFileSync } = require('node:fs');
const [, , file, code] = process.argv;
const script = new (require('node:vm').Script)(readFileSync(file, 'utf8'), {
  cachedData: readFileSync(code),
});
process.stdout.write(script.cachedDataRejected ? 'left alone' : 'taken');`,
);

function ask(flags: readonly string[], script: string, code: string): string {
  return spawnSync(process.execPath, [...flags, asker, script, code], { encoding: 'utf8' }).stdout;
}

describe('what the engine made of scripts when they were built', () => {
  const builtins = openPluginStore(join(dist, 'builtin'));
  const scripts = [
    [
      'the program of a plugin process',
      join(dist, 'process.main.js'),
      join(dist, 'process.main.code'),
    ],
    ...builtins.list().map((record) => {
      const own = builtins.folderOf(record);
      return [`the glue of ${record.name}`, join(own, 'component.js'), join(own, 'component.code')];
    }),
  ] as [string, string, string][];

  it.each(scripts)('is taken by a plugin process: %s', (_, script, code) => {
    expect(ask(engineFlags, script, code)).toBe('taken');
  });

  it('is left alone by an engine with other flags, and for another script', () => {
    const [[, program, code], [, glue]] = scripts as [
      [string, string, string],
      [string, string, string],
    ];
    expect(ask([], program, code)).toBe('left alone');
    expect(ask(engineFlags, glue, code)).toBe('left alone');
  });

  it('holds the functions of the program that first calls need, and not all', async () => {
    const [[, program]] = scripts as [[string, string, string]];
    const all = await compileScript(readFileSync(program), {
      bundle: join(dist, 'transpile.js'),
      confine: createProcessSandbox('auto').confine,
      timeoutMs: 60_000,
      signal: new AbortController().signal,
    });
    const rehearsed = await rehearseProgram(dist);
    if (rehearsed === undefined) throw new Error('no plugin was built to rehearse with');
    const file = join(folder, 'rehearsed.code');
    writeFileSync(file, rehearsed);
    expect(ask(engineFlags, program, file)).toBe('taken');
    // What is called at once when the script runs, without a call of a tool, is a sixth of all.
    expect(rehearsed.length).toBeGreaterThan(all.length / 5);
    expect(rehearsed.length).toBeLessThan(all.length / 1.5);
  });

  it('is found beside the loader of a plugin process', () => {
    expect(programFiles(join(dist, 'process.cjs')).endings).toEqual([
      '.cjs',
      '.main.js',
      '.main.code',
    ]);
  });
});
