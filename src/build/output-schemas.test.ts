import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { benchLine, failedLine } from '../../tests/bench/bench-line.ts';
import { createProgram } from '../cli/program.ts';
import { jsonCommands } from '../contracts/output/json-commands.ts';
import { outputSchemas } from './output-schemas.ts';

const schemas = outputSchemas();
const ajv = new Ajv2020({ strict: true });
ajv.addFormat('uri', (text) => URL.canParse(text));
const checkOf = (name: string) => {
  const [, text] = schemas.find(([path]) => path.endsWith(`/${name}.json`)) ?? [];
  return ajv.compile(JSON.parse(text ?? 'null'));
};

describe('outputSchemas()', () => {
  it.each(schemas.map(([path]) => path))('gives a strict JSON Schema for %s', (path) => {
    const check = checkOf(path.split('/').at(-1)?.replace('.json', '') ?? '');
    expect(check({})).toBe(false);
  });

  it('tells events apart by their type', () => {
    const check = checkOf('event');
    const event = { type: 'error', ts: 1, code: 'not-found', message: 'm', hint: 'h' };
    expect(check(event)).toBe(true);
    expect(check({ ...event, type: 'text' })).toBe(false);
    expect(check({ ...event, code: 'gone' })).toBe(false);
    expect(check({ ...event, hint: undefined })).toBe(false);
  });

  it('takes a hit with the factors of full-text search alone', () => {
    const check = checkOf('memory-hit');
    const factors = { bm25: 2, fused: 1, layerWeight: 1.2, decay: 1 };
    const hit = { id: 'a', layer: 'interact', score: 1.2, text: 't', kind: 'note', tags: [] };
    expect(check({ ...hit, project: '/p', ts: 1, factors })).toBe(true);
    expect(check({ ...hit, project: '/p', ts: 1, factors: { bm25: 2 } })).toBe(false);
  });

  it('takes what a bench prints, measured or not', () => {
    const check = checkOf('bench-line');
    const target = { name: 'call.warm', unit: 'ms', reach: '<= 0.8x' } as const;
    expect(check(benchLine(target, { value: 1, runs: 9, peer: 'p', peerValue: 2 }))).toBe(true);
    expect(check(failedLine(target, 'the peer is not installed'))).toBe(true);
    expect(check({ ...target, value: '1', runs: 9, ok: true })).toBe(false);
  });
});

/** Every command below this one that takes `--json`. */
function takesJson(command: Command, above = ''): string[] {
  const path = `${above} ${command.name()}`.trim();
  const own = command.options.some(({ long }) => long === '--json') ? [path] : [];
  return [...own, ...command.commands.flatMap((child) => takesJson(child, path))];
}

describe('jsonCommands', () => {
  it('has every command with --json and no other', () => {
    const listed = new Set(
      jsonCommands.flatMap((row) =>
        'always' in row || !row.command.startsWith('cuervo ') ? [] : [row.command],
      ),
    );
    // Its one object has no schema.
    const taken = takesJson(createProgram()).filter((path) => path !== 'cuervo plugin build');
    expect([...listed].sort()).toEqual(taken.sort());
  });
});
