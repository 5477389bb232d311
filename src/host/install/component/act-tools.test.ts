import { describe, expect, it } from 'vitest';
import { jsonToCbor } from '../../../lib/cbor.ts';
import { actProblem, actTools, readActManifest } from './act-tools.ts';

const provider = 'act:tools/tool-provider@0.2.0';
const schema = '{"type":"object"}';
const listed = (name: string, readOnly = false) => ({ name, description: 'x', schema, readOnly });

describe('actTools()', () => {
  it('names tools as we do, and calls them as they are called', () => {
    const content = JSON.stringify([listed('read_file'), listed('listFiles'), listed('a.b/c')]);
    const { tools, adapter } = actTools(content, provider, 'pure');
    expect(tools.map(({ name }) => name)).toEqual(['read-file', 'list-files', 'a-b-c']);
    expect(Object.values(adapter)).toMatchObject([
      { kind: 'act', instance: provider, tool: { name: 'read_file', input: { type: 'object' } } },
      { tool: { name: 'listFiles' } },
      { tool: { name: 'a.b/c' } },
    ]);
  });

  it.each([
    ['pure', 'pure', 'pure'],
    ['read', 'read', 'read'],
    ['write', 'write', 'read'],
    ['external', 'external', 'external'],
  ] as const)('with imports that can %s: %s, and %s where it says that it reads', (...row) => {
    const [effect, plain, reading] = row;
    const content = JSON.stringify([listed('a'), listed('b', true)]);
    const { tools } = actTools(content, provider, effect);
    expect(tools.map((tool) => tool.effect)).toEqual([plain, reading]);
  });

  it.each([
    [[listed('_a')], 'list-tools names a tool "_a", which does not begin with a letter'],
    [[listed('a_b'), listed('a-b')], 'list-tools names the tool a-b twice'],
    [[listed('a b')], 'kebab-case'],
    [[{ ...listed('a'), schema: '{}' }], 'lacks "type": "object"'],
    [[{ ...listed('a'), schema: 'x' }], 'input-schema of tool a'],
    [[{ ...listed('a'), description: '\u202e' }], 'unprintable'],
    [[], 'names no tool'],
  ])('refuses %j', (tools, message) => {
    expect(() => actTools(JSON.stringify(tools), provider, 'pure')).toThrow(message);
  });
});

function manifestOf(content: Uint8Array): ReturnType<typeof readActManifest> {
  const customSections = [{ name: 'act:component', offset: 2, length: content.length }];
  return readActManifest({ customSections }, Buffer.concat([Buffer.alloc(2), content]), 'f.wasm');
}

describe('readActManifest()', () => {
  it('gives what was packed, and wants what is declared', () => {
    const capabilities = {
      'wasi:filesystem': { allow: [{ path: '/data/**', mode: 'ro' }] },
      'wasi:http': { description: { de: 'holt', en: 'gets pages' } },
      'wasi:sockets': {},
      'db:drop': {},
    };
    const std = { name: 'My_Reader', version: '1.0.0', description: 'Reads.', license: 'MIT' };
    expect(manifestOf(jsonToCbor({ std: { ...std, capabilities } }))).toMatchObject({
      ...{ name: 'my-reader', version: '1.0.0', description: 'Reads.', licence: 'MIT' },
      wants: [
        { capability: 'http', why: 'gets pages' },
        { capability: 'fs', why: 'declares wasi:filesystem /data/**' },
        { capability: 'clock' },
        { capability: 'random' },
      ],
    });
  });

  it('wants to write where a rule says so, and where there is no rule', () => {
    const wants = (rules: object) => {
      const std = { capabilities: { 'wasi:filesystem': rules } };
      return manifestOf(jsonToCbor({ std }))?.wants.map(({ capability }) => capability);
    };
    expect(wants({ constraints: [{ path: 'a', mode: 'rw' }] })).toContain('fs-write');
    expect(wants({})).toContain('fs-write');
    expect(wants({ constraints: [{ path: 'a', mode: 'ro' }] })).not.toContain('fs-write');
  });

  it('passes over what a manifest could not have', () => {
    const std = { name: '', version: 'new', description: 'a\u0007b', license: 7 };
    const found = manifestOf(jsonToCbor({ std }));
    expect(found).toMatchObject({ name: 'f', version: '0.0.0' });
    expect(found).not.toHaveProperty('licence');
    const odd = { 'wasi:http': { description: '\u202egniht' } };
    expect(manifestOf(jsonToCbor({ std: { capabilities: odd } }))?.wants[0]).toEqual({
      capability: 'http',
      why: 'declares wasi:http',
    });
  });

  it('is none without a section, and refuses one that is no CBOR', () => {
    expect(readActManifest({ customSections: [] }, Buffer.of(), 'f.wasm')).toBeUndefined();
    expect(() => manifestOf(Buffer.from([0xa1]))).toThrow('its section act:component is not CBOR');
    expect(() => manifestOf(jsonToCbor([1]))).toThrow('act:component');
    // One text of empty pieces, each of which takes far more memory than its byte.
    const pieces = Buffer.concat([Buffer.of(0x7f), Buffer.alloc(64 * 1024, 0x60), Buffer.of(0xff)]);
    expect(() => manifestOf(pieces)).toThrow('has 65538 bytes, limit 65536');
  });
});

describe('actProblem()', () => {
  it.each([
    ['act:sessions/session-provider@0.2.0', 'session_open'],
    ['act:credentials/store@0.1.0', 'hands no secret'],
    ['act:consent/consent-authority@0.1.0', 'asks a person'],
    ['act:tools/tool-provider@0.3.0', 'act-sdk 0.14'],
    ['act:tools/tool-provider@0.2.1', undefined],
    ['act:tools/types@0.2.0', undefined],
    ['wasi:http/client@0.3.0', undefined],
    ['constructor', undefined],
  ])('of %s: %s', (name, part) => {
    if (part === undefined) expect(actProblem(name)).toBeUndefined();
    else expect(actProblem(name)).toContain(part);
  });
});
