import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { transpilerVersion } from '../install/prepare-plugin.ts';
import { knownTranspiler, shortenGlue } from './shorten-glue.ts';

const traced = `export function instantiate() {
  function _debugLog(...args) { console.error(...args); }
  _debugLog('made');
  return {};
}
`;

describe('shortenGlue()', () => {
  it('knows the installed transpiler: after an upgrade read README.md of this folder', () => {
    const component = createRequire(import.meta.url).resolve(
      '@bytecodealliance/jco-transpile/component',
    );
    const text = readFileSync(join(dirname(component), '..', 'package.json'), 'utf8');
    const { version } = JSON.parse(text) as { version: string };
    expect(knownTranspiler).toBe(version);
    expect(transpilerVersion.startsWith(`jco-transpile ${version} /`)).toBe(true);
  });

  it('shortens glue of the known transpiler', () => {
    expect(shortenGlue(traced, knownTranspiler)).not.toContain('_debugLog');
  });

  it.each(['', '0.15.1', '1.0.0'])(
    'leaves glue of another transpiler as it is: "%s"',
    (version) => {
      expect(shortenGlue(traced, version)).toBe(traced);
    },
  );

  it('leaves glue that it cannot read as it is', () => {
    expect(shortenGlue('export function {', knownTranspiler)).toBe('export function {');
  });
});
