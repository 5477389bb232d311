import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../contracts/tool.ts';
import { CborFault, cborToJson, jsonToCbor } from './cbor.ts';

const hex = (text: string): Uint8Array => Buffer.from(text, 'hex');
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Examples of RFC 8949, appendix A. */
describe('cborToJson() and jsonToCbor()', () => {
  it.each([
    ['00', '0'],
    ['17', '23'],
    ['1818', '24'],
    ['1903e8', '1000'],
    ['1a000f4240', '1000000'],
    ['1b000000e8d4a51000', '1000000000000'],
    ['20', '-1'],
    ['3903e7', '-1000'],
    ['f93e00', '1.5'],
    ['fa7f7fffff', '3.4028234663852886e+38'],
    ['fb3ff199999999999a', '1.1'],
    ['f4', 'false'],
    ['f5', 'true'],
    ['f6', 'null'],
    ['44010203 04', '{"$bytes":"AQIDBA=="}'],
    ['60', '""'],
    ['62c3bc', '"ü"'],
    ['8301820203820405', '[1,[2,3],[4,5]]'],
    ['a26161016162820203', '{"a":1,"b":[2,3]}'],
  ])('%s is %s both ways', (bytes, json) => {
    const plain = bytes.replaceAll(' ', '');
    expect(cborToJson(hex(plain))).toBe(json);
    expect(hexOf(jsonToCbor(JSON.parse(json)))).toBe(plain);
  });

  it.each([
    ['1bffffffffffffffff', '18446744073709551615'],
    ['3bffffffffffffffff', '-18446744073709551616'],
    ['c074323031332d30332d32315432303a30343a30305a', '"2013-03-21T20:04:00Z"'],
    ['5f42010243030405ff', '{"$bytes":"AQIDBAU="}'],
    ['7f657374726561646d696e67ff', '"streaming"'],
    ['9f018202039f0405ffff', '[1,[2,3],[4,5]]'],
    ['bf61610161629f0203ffff', '{"a":1,"b":[2,3]}'],
    ['a16624627974657301', '{"$$bytes":1}'],
  ])('%s is %s', (bytes, json) => {
    expect(cborToJson(hex(bytes))).toBe(json);
  });

  it.each([
    ['', 'it ends in the middle of a value'],
    ['1a0000', 'it ends in the middle of a value'],
    ['9bffffffffffffffff', 'it ends in the middle of a value'],
    ['5bffffffffffffffff', 'it ends in the middle of a value'],
    ['0000', '1 bytes behind the value'],
    ['1c', 'unknown length 28'],
    ['61ff', 'a text is not UTF-8'],
    ['a10102', 'a key that is not a text'],
    ['5f01ff', 'a piece of a text or of bytes is something else'],
    ['f97e00', 'a value that JSON does not have'],
    ['f7', 'a value that JSON does not have'],
    ['ff', 'a value that JSON does not have'],
    ['1f', 'a number without a length'],
    ['81'.repeat(100), 'nested deeper than 64'],
  ])('refuses %s: %s', (bytes, message) => {
    expect(() => cborToJson(hex(bytes))).toThrow(new CborFault(message));
  });

  it('writes a whole number as a float where the schema has no integers', () => {
    const schema: JsonObject = {
      properties: {
        plain: { type: 'number' },
        either: { type: ['integer', 'number'] },
        list: { items: { $ref: '#/$defs/Deep' } },
        maybe: { anyOf: [{ $ref: '#/$defs/Deep' }, { type: 'null' }] },
      },
      $defs: { Deep: { properties: { x: { type: 'number' } } } },
    };
    const write = (value: object): string => hexOf(jsonToCbor(value, schema));
    expect(write({ plain: 1 })).toBe(`a165${hexOf(Buffer.from('plain'))}f93c00`);
    expect(write({ either: 1 })).toMatch(/01$/);
    expect(write({ list: [{ x: 1 }] })).toMatch(/6178f93c00$/);
    expect(write({ maybe: { x: 1 } })).toMatch(/6178f93c00$/);
    expect(write({ other: 1 })).toMatch(/01$/);
  });

  it('ends for a schema that names itself', () => {
    const schema: JsonObject = { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } };
    expect(hexOf(jsonToCbor({ a: 1 }, schema))).toBe('a1616101');
  });

  it('writes digits as a number where the schema has integers, and sorts keys', () => {
    const schema: JsonObject = { properties: { b: { type: 'integer' } } };
    expect(hexOf(jsonToCbor({ b: '1152921504606846976', aa: '1' }, schema))).toBe(
      'a261621b10000000000000006261616131',
    );
  });

  it('takes bytes, and nothing else, for bytes', () => {
    expect(hexOf(jsonToCbor({ $bytes: 'AQI=' }))).toBe('420102');
    expect(hexOf(jsonToCbor({ $$bytes: 'AQI=' }))).toBe(
      hexOf(hex('a16624627974657364415149 3d'.replace(' ', ''))),
    );
    expect(() => jsonToCbor({ $bytes: 'AQ' })).toThrow(CborFault);
    expect(() => jsonToCbor({ $bytes: 1 })).toThrow(CborFault);
  });
});
