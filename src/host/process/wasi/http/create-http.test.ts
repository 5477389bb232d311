import { describe, expect, it } from 'vitest';
import {
  type Guest,
  openWasi,
  payloadOf,
  type WasiFixture,
} from '../../../../../tests/support/open-wasi.ts';
import { HostFailure } from '../../../paths/host-failure.ts';

type Kind = { new (...args: unknown[]): Guest } & Record<string, (...args: unknown[]) => unknown>;
const kindOf = (wasi: WasiFixture, name: string): Kind =>
  (wasi.of('wasi:http/types') as unknown as Record<string, Kind>)[name]!;
const bytes = (text: string): Uint8Array => Buffer.from(text);
const answer = () => ({
  status: 201,
  headers: [['Content-Type', 'text/plain']],
  body: new Uint8Array(Buffer.from('made')),
});

function newRequest(wasi: WasiFixture, headers: [string, Uint8Array][] = []): Guest {
  const fields = kindOf(wasi, 'Fields').fromList!(headers);
  const request = new (kindOf(wasi, 'OutgoingRequest'))(fields);
  request.setAuthority!('example.org');
  request.setPathWithQuery!('/things?x=1');
  return request;
}
const handle = (wasi: WasiFixture, request: Guest, options?: Guest): Guest =>
  wasi.of('wasi:http/outgoing-handler').handle!(request, options) as Guest;

describe('createHttp()', () => {
  it('speaks no protocol but that of the web, and asks nobody for another', () => {
    const wasi = openWasi({ answer });
    const request = newRequest(wasi);
    request.setScheme!({ tag: 'other', val: 'WS' });
    const future = handle(wasi, request);
    (future.subscribe!() as Guest).block!();
    const error = { tag: 'HTTP-protocol-error' };
    expect(future.get!()).toEqual({ tag: 'ok', val: { tag: 'err', val: error } });
    expect(wasi.asked).toEqual([]);
  });

  it('makes one call of the kernel of a request, and its answer readable', () => {
    const wasi = openWasi({ answer });
    const request = newRequest(wasi, [['X-Key', bytes('{{secret:API}}')]]);
    request.setMethod!({ tag: 'post' });
    const body = request.body!() as Guest;
    const options = new (kindOf(wasi, 'RequestOptions'))();
    options.setConnectTimeout!(2_000_000_000n);
    const future = handle(wasi, request, options);
    expect(future.get!()).toBeUndefined();
    const stream = body.write!() as Guest;
    stream.blockingWriteAndFlush!(bytes('{"a":'));
    stream.write!(bytes('1}'));
    expect(wasi.asked).toEqual([]);
    kindOf(wasi, 'OutgoingBody').finish!(body, undefined);
    expect(wasi.asked).toEqual([
      {
        call: 'http.send',
        args: [
          {
            method: 'POST',
            url: 'https://example.org/things?x=1',
            headers: [['X-Key', '{{secret:API}}']],
            body: new Uint8Array(bytes('{"a":1}')),
            timeoutMs: 2000,
            maxResponseBytes: 4_194_304,
          },
        ],
      },
    ]);
    const { val } = future.get!() as { val: { tag: string; val: Guest } };
    expect(val.tag).toBe('ok');
    expect(val.val.status!()).toBe(201);
    const headers = val.val.headers!() as Guest;
    expect(headers.get!('content-type')).toEqual([Buffer.from('text/plain')]);
    expect(payloadOf(() => headers.append!('x', bytes('y')))).toEqual({ tag: 'immutable' });
    const incoming = val.val.consume!() as Guest;
    const from = incoming.stream!() as Guest;
    expect(Buffer.from(from.read!(100n) as Uint8Array).toString()).toBe('made');
    expect(payloadOf(() => from.read!(1n))).toEqual({ tag: 'closed' });
    const trailers = kindOf(wasi, 'IncomingBody').finish!(incoming) as Guest;
    expect(trailers.get!()).toEqual({ tag: 'ok', val: { tag: 'ok', val: undefined } });
    expect(future.get!()).toEqual({ tag: 'err', val: undefined });
  });

  it('sends a request without a body at once', () => {
    const wasi = openWasi({ answer });
    const future = handle(wasi, newRequest(wasi));
    expect((future.subscribe!() as Guest).ready!()).toBe(true);
    expect(wasi.asked[0]!.args[0]).toMatchObject({ method: 'GET', timeoutMs: 30_000 });
    expect(future.get!()).toMatchObject({ val: { tag: 'ok' } });
  });

  it('denies without the grant, before anybody is asked', () => {
    const wasi = openWasi({ answer, denied: { http: 'not granted' } });
    expect(payloadOf(() => handle(wasi, newRequest(wasi)))).toMatchObject({
      tag: 'HTTP-request-denied',
    });
    expect(wasi.asked).toEqual([]);
    expect(wasi.calls).toMatchObject([{ call: 'http.send', outcome: 'denied' }]);
  });

  it.each([
    ['denied', 'HTTP-request-denied'],
    ['timeout', 'connection-timeout'],
    ['limit', 'HTTP-response-body-size'],
    ['io', 'internal-error'],
  ] as const)('gives what the kernel refused as %s', (tag, code) => {
    const wasi = openWasi({
      answer: () => {
        throw new HostFailure(tag, 'why');
      },
    });
    const future = handle(wasi, newRequest(wasi));
    expect(future.get!()).toMatchObject({ tag: 'ok', val: { tag: 'err', val: { tag: code } } });
  });

  it('waits for no answer to a question that was not ended', () => {
    const wasi = openWasi({ answer });
    const request = newRequest(wasi);
    request.body!();
    const future = handle(wasi, request);
    (future.subscribe!() as Guest).block!();
    expect(future.get!()).toMatchObject({ val: { tag: 'err', val: { tag: 'internal-error' } } });
    expect(wasi.asked).toEqual([]);
  });

  it('refuses headers and addresses that would be more than they say', () => {
    const wasi = openWasi({ answer });
    const fields = new (kindOf(wasi, 'Fields'))();
    const fault = (name: string, value: string) =>
      payloadOf(() => fields.append!(name, bytes(value)));
    expect(fault('x', 'a\r\nHost: other')).toEqual({ tag: 'invalid-syntax' });
    expect(fault('x y', 'a')).toEqual({ tag: 'invalid-syntax' });
    expect(fault('Host', 'other.example')).toEqual({ tag: 'forbidden' });
    expect(fault('x', 'a'.repeat(70_000))).toEqual({ tag: 'forbidden' });
    fields.set!('X', [bytes('1'), bytes('2')]);
    expect(fields.get!('x')).toHaveLength(2);
    fields.delete!('x');
    expect(fields.has!('X')).toBe(false);
    const request = newRequest(wasi);
    for (const authority of ['user@other', 'a/b', 'a b', '', 'a\\b']) {
      expect(payloadOf(() => request.setAuthority!(authority))).toBeUndefined();
    }
    expect(payloadOf(() => request.setPathWithQuery!('//x y'))).toBeUndefined();
    expect(payloadOf(() => request.setMethod!({ tag: 'other', val: 'A B' }))).toBeUndefined();
    expect(request.authority!()).toBe('example.org');
  });

  it('bounds a body, and tells why by the code of its error', () => {
    const wasi = openWasi({ answer });
    const stream = (newRequest(wasi).body!() as Guest).write!() as Guest;
    stream.write!(new Uint8Array(4 * 1024 * 1024));
    const failed = payloadOf(() => stream.write!(new Uint8Array(1))) as { val: Guest };
    const { httpErrorCode } = wasi.of('wasi:http/types');
    expect(httpErrorCode!(failed.val)).toMatchObject({ tag: 'HTTP-request-body-size' });
  });
});
