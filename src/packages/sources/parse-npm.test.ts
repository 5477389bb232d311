import { describe, expect, it } from 'vitest';
import { parseHubModel } from '../models/parse-model-source.ts';
import { parseAttestations, parsePackument, parsePluginIndex, parseSearch } from './parse-npm.ts';
import { parseOciManifest, parseToken } from './parse-oci.ts';

const [what, from] = ['csv-kit', 'https://registry.example'];
const documents: [kind: string, parse: (bytes: Buffer) => unknown, right: object][] = [
  ['package', (bytes) => parsePackument(bytes, { name: what, what, from }), { name: what }],
  ['list of packages', (bytes) => parseSearch(bytes, what, from), { objects: [] }],
  ['list of attestations', (bytes) => parseAttestations(bytes, what, from), { attestations: [] }],
  ['manifest', (bytes) => parseOciManifest(bytes, what, from), { layers: [] }],
  ['token', (bytes) => parseToken(bytes, what, from), { token: 'x' }],
  ['model', (bytes) => parseHubModel(bytes, what, from), { siblings: [] }],
  ['index', (bytes) => parsePluginIndex(bytes, from), { cuervoIndex: 1 }],
];

describe.each(documents)('an answer that is no %s', (kind, parse, right) => {
  it.each(['null', '5', 'true', '"no"', '[]', '{}', '[{"name":"csv-kit"}]', '{"error":"no"}'])(
    'is told of with what it is: %s',
    (text) => {
      expect(() => parse(Buffer.from(text))).toThrow(
        `${from} answered with ${text}, which is no ${kind}`,
      );
    },
  );

  it.each([
    ['', 'answered with nothing'],
    ['\n<HTML>', 'answered with a web page'],
    ['{"name": "csv-', 'answered with {"name": "csv-, which is no JSON'],
    ['[\u001b[2J', 'answered with [\\x1b[2J, which is no JSON'],
    [`"${'a'.repeat(100)}"`, `answered with "${'a'.repeat(79)}…, which is no ${kind}`],
  ])('is no JSON object: %j', (text, told) => {
    expect(() => parse(Buffer.from(text))).toThrow(`${from} ${told}`);
  });

  it('is not the right one', () => {
    expect(() => parse(Buffer.from(JSON.stringify(right)))).not.toThrow();
  });
});
