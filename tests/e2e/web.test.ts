import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serve } from '../fixtures/tls/serve.ts';
import { openPlace, type Place } from '../support/place.ts';

const page = `<html><head><title>Herons</title></head><body><h1>Grey heron</h1>
<p>It nests in <a href="https://example.org/trees">tall trees</a>.</p><script>x</script></body></html>`;

const routes: Record<string, { type: string; body: string | Buffer; status?: number }> = {
  '/heron': { type: 'text/html; charset=utf-8', body: page },
  '/data': { type: 'application/json', body: '{"birds":3}' },
  '/latin': { type: 'text/plain; charset=iso-8859-1', body: Buffer.from('Brachvögel', 'latin1') },
  '/within': {
    type: 'text/html',
    body: Buffer.from('<meta charset="windows-1252"><p>Brachv\u00f6gel \u0096 3 \u0080', 'latin1'),
  },
  '/older': {
    type: 'text/html',
    body: Buffer.from(
      '<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1"><p>V\u00f6gel',
      'latin1',
    ),
  },
  '/far': { type: 'text/html; charset=shift_jis', body: Buffer.from([0x92, 0xb9]) },
  '/near': { type: 'text/html; charset=shift_jis', body: 'only ASCII' },
  '/picture': { type: 'image/png', body: Buffer.from([137, 80, 78, 71, 0]) },
  '/gone': { type: 'text/plain', body: 'gone', status: 410 },
};
const answer: RequestListener = (request, response) => {
  const route = routes[request.url ?? ''];
  response.writeHead(route?.status ?? (route === undefined ? 404 : 200), {
    'Content-Type': route?.type ?? 'text/plain',
  });
  response.end(route?.body ?? 'nothing');
};

let served: Served;
let place: Place;
beforeAll(async () => {
  served = await serve(answer);
  place = openPlace();
});
afterAll(async () => {
  place[Symbol.dispose]();
  await served[Symbol.asyncDispose]();
});
const origin = () => `http://127.0.0.1:${served.port}`;

async function fetchPage(input: object, grants: readonly string[] = [origin()]) {
  const allow = grants.flatMap((each) => ['--allow', `http:${each}`]);
  const ran = await place.cuervo(['run', 'web.fetch', JSON.stringify(input), '--json', ...allow]);
  const find = (type: string) => ran.lines.find((line) => line.type === type);
  const result = find('result') as { content: string } | undefined;
  const error = find('error') as { message: string } | undefined;
  return {
    code: ran.code,
    content: result === undefined ? undefined : JSON.parse(result.content),
    message: error?.message,
  };
}

describe('web.fetch', () => {
  it('gives the text of a page, in parts, and other texts as they are', async () => {
    const url = `${origin()}/heron`;
    const { content } = await fetchPage({ url });
    expect(content).toEqual({
      ...{ url, title: 'Herons', type: 'text/html' },
      text: '# Grey heron\n\nIt nests in tall trees (https://example.org/trees).',
    });
    const part = await fetchPage({ url, start: 2, limit: 10 });
    expect(part.content).toMatchObject({ text: 'Grey heron', next: 12 });
    expect((await fetchPage({ url, raw: true })).content.text).toBe(page);
    expect((await fetchPage({ url: `${origin()}/data` })).content.text).toBe('{"birds":3}');
    expect((await fetchPage({ url: `${origin()}/latin` })).content.text).toBe('Brachvögel');
  });

  it('reads a page in the character set that it names itself, and says of one that it is not read', async () => {
    const textOf = async (path: string) => {
      const { content, message } = await fetchPage({ url: `${origin()}${path}` });
      return content?.text ?? message;
    };
    expect(await textOf('/within')).toBe('Brachvögel – 3 €');
    expect(await textOf('/older')).toBe('Vögel');
    expect(await textOf('/near')).toBe('only ASCII');
    expect(await textOf('/far')).toMatch(/\/far is written in shift_jis, which is not read$/);
  });

  it('asks nobody whose origin was not granted', async () => {
    const before = served.connections;
    const { port } = served;
    for (const url of [
      ...[
        `${origin()}/heron`,
        `http://127.0.0.1:${port + 1}/`,
        'http://10.0.0.1/',
        'http://[::1]/',
      ],
      ...['http://169.254.169.254/latest/meta-data/', 'http://192.168.1.1/', 'http://172.16.0.1/'],
      ...['http://[fd00::1]/', 'https://example.org/', `http://[::ffff:127.0.0.1]:${port}/heron`],
    ]) {
      const ran = await fetchPage({ url }, [`http://127.0.0.1:${port + 2}`]);
      expect({ url, code: ran.code }).toEqual({ url, code: 3 });
    }
    expect(served.connections).toBe(before);
  });

  it('is what a question for an address runs, or names the grant that it takes', async () => {
    const url = `${origin()}/heron`;
    const denied = await place.cuervo(['ask', `fetch ${url}`]);
    expect(denied).toMatchObject({ code: 3, stdout: '' });
    expect(denied.stderr).toBe(
      `error: web.fetch: web was not granted http for "${origin()}"\nhint: cuervo plugin grant web http:${origin()} keeps it, or --allow http:${origin()} grants it for one run\n`,
    );
    const asked = await place.cuervo(['ask', `open ${url}`, '--allow', `http:${origin()}`]);
    expect(asked.code).toBe(0);
    expect(asked.stdout).toContain('of "Herons":\n  # Grey heron\n');
    const flat = await place.cuervo(['ask', `${origin()}/data`, '--allow', `http:${origin()}`]);
    expect(flat.stdout).toContain('\n  {"birds":3}\n');
    const plain = await place.cuervo(['ask', 'fetch http://example.org/']);
    expect(plain.stderr).toMatch(/use https\nhint: No grant allows this address as it is written;/);
  });

  it('says what came instead of a text', async () => {
    expect(await fetchPage({ url: `${origin()}/gone` })).toMatchObject({
      code: 4,
      message: expect.stringContaining('status 410'),
    });
    expect(await fetchPage({ url: `${origin()}/picture` })).toMatchObject({
      code: 1,
      message: expect.stringContaining('is image/png, which is not text'),
    });
    expect((await fetchPage({ url: 'no address' })).code).toBe(2);
  });
});
