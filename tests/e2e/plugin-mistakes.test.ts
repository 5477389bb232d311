import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { twoLines } from '../support/run-cuervo.ts';

/** JavaScript, as an author without types writes it; each tool makes one mistake. */
const source = `
import { definePlugin, fs, http, kv, log, ToolError, v } from '@cuervo/sdk';
const half = '😀'.slice(0, 1);
const mistakes = {
  'read-nothing': () => fs.readText(),
  'walk-text': () => fs.walk('.', { include: '*.js' }),
  'walk-undefined': () => fs.walk('.', { limit: undefined }).length,
  'scan-pattern': () => fs.scan('.', { pattern: /x/ }),
  'keep-text': () => kv.set('key', 'value'),
  'log-level': () => log.write('hello'),
  'path-half': () => fs.readText(half),
  'content-half': () => 'a' + half,
  'low-effect': () => http.send({ url: 'https://example.org' }),
  'code': () => { throw new ToolError(['forbidden'].join(), 'not that'); },
};
export default definePlugin({
  name: 'mistakes', version: '0.1.0', description: 'Makes mistakes.',
  wants: ['fs', 'http', 'kv', 'log'].map((capability) => ({ capability, why: 'to be wrong' })),
  tools: Object.entries(mistakes).map(([name, run]) => ({
    name, description: 'Is wrong.', effect: 'write', input: v.object({}), examples: [{}],
    run: () => ({ content: run(), summary: half }),
  })),
});
`;

let place: Place;
beforeAll(async () => {
  place = openPlace({ 'p/plugin.js': source, 'a.txt': 'one\n' });
  expect(await place.cuervo(['plugin', 'build', 'p'])).toMatchObject({ code: 0 });
  const grants = ['--grant', 'fs:work', '--grant', 'kv'];
  const file = 'p/dist/mistakes.wasm';
  expect(await place.cuervo(['plugin', 'install', file, '--yes', ...grants])).toMatchObject({
    code: 0,
  });
});
afterAll(() => place[Symbol.dispose]());

describe('a mistake of an author', () => {
  it.each([
    [
      'read-nothing',
      1,
      'TypeError: fs.readText: "path" has to be a text, not nothing (at plugin.js:5)',
    ],
    [
      'walk-text',
      1,
      'TypeError: fs.walk: "include" has to be a list of texts, not a string (at plugin.js:6)',
    ],
    [
      'scan-pattern',
      1,
      'TypeError: fs.scan: "pattern" has to be a text, not an object (at plugin.js:8)',
    ],
    [
      'keep-text',
      1,
      'TypeError: kv.set: "value" has to be a Uint8Array, not a string (at plugin.js:9)',
    ],
    [
      'log-level',
      1,
      'TypeError: log.write: "level" has to be one of debug, info, warn, error (at plugin.js:10)',
    ],
    ['path-half', 4, 'path "\ufffd" does not exist'],
    [
      'code',
      1,
      'not that (ToolError has no code "forbidden"; it has invalid-input, not-found, denied, limit, timeout, conflict, unavailable, failed)',
    ],
  ])('is named and does not trap: %s', async (tool, code, reason) => {
    const ran = await place.cuervo(['run', `mistakes.${tool}`]);
    expect(ran.code).toBe(code);
    expect(twoLines(ran).error).toBe(`mistakes.${tool}: ${reason}`);
  });

  it('is an effect that is too low, whatever was granted', async () => {
    const ran = await place.cuervo(['run', 'mistakes.low-effect']);
    expect(ran.code).toBe(3);
    expect(twoLines(ran)).toEqual({
      error: 'mistakes.low-effect: http.send is above the effect "write" that this tool declares',
      hint: 'The author of the plugin has to declare a higher effect for this tool.',
    });
  });

  it('is none where an option is undefined', async () => {
    const ran = await place.cuervo(['run', 'mistakes.walk-undefined']);
    expect({ code: ran.code, text: ran.stdout }).toEqual({ code: 0, text: '5\n' });
  });

  it('is none where a text was cut within an emoji', async () => {
    const ran = await place.cuervo(['run', 'mistakes.content-half']);
    expect({ code: ran.code, text: ran.stdout }).toEqual({ code: 0, text: 'a\ufffd\n' });
  });
});

describe('a built-in plugin', () => {
  it('takes a text that was cut within an emoji', async () => {
    const read = await place.cuervo(['run', 'file.read', '{"path":"a\\ud83d"}']);
    expect(read.code).toBe(4);
    const grep = await place.cuervo(['run', 'search.grep', '{"pattern":"\\ud83d"}']);
    expect(grep.code).toBe(0);
    const write = ['run', 'file.write', '{"path":"cut.txt","text":"a\\ud83d"}'];
    expect((await place.cuervo([...write, '--allow', 'fs-write:work'])).code).toBe(0);
  });
});
