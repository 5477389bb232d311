import { describe, expect, it } from 'vitest';
import {
  type Guest,
  openWasi,
  payloadOf,
  type WasiFixture,
} from '../../../tests/support/open-wasi.ts';
import { HostFailure } from '../../paths/system-failure.ts';

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
            timeoutMs: 62_000,
            maxResponseBytes: 4_194_304,
            phases: { connectMs: 2000, firstByteMs: 30_000, betweenBytesMs: 30_000 },
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
    expect(wasi.asked[0]!.args[0]).toMatchObject({ method: 'GET', timeoutMs: 90_000 });
    expect(future.get!()).toMatchObject({ val: { tag: 'ok' } });
  });

  const late = () => {
    const wasi = openWasi({ answer, isLate: true });
    const futures = [0, 1, 2].map(() => handle(wasi, newRequest(wasi)));
    return { wasi, futures, pollables: futures.map((each) => each.subscribe!() as Guest) };
  };

  it('has several requests under way, and wakes a guest at the first answer', () => {
    const { wasi, futures, pollables } = late();
    expect(wasi.asked).toHaveLength(3);
    expect(futures.map((each) => each.get!())).toEqual([undefined, undefined, undefined]);
    const { poll } = wasi.of('wasi:io/poll');
    expect(poll!(pollables)).toEqual(Uint32Array.of(2));
    expect(futures[2]!.get!()).toMatchObject({ val: { tag: 'ok' } });
    pollables[0]!.block!();
    expect(pollables.map((each) => each.ready!())).toEqual([true, true, true]);
  });

  it('lets a guest that waits for one of them and for time wait for the answer', () => {
    const { wasi, pollables } = late();
    const timer = wasi.of('wasi:clocks/monotonic-clock').subscribeDuration!(1_000_000n);
    expect(wasi.of('wasi:io/poll').poll!([timer, pollables[0]])).toContain(1);
  });

  it('lets a guest that only looks wait from its second look on', () => {
    const { futures, pollables } = late();
    expect(pollables[2]!.ready!()).toBe(false);
    expect(pollables[2]!.ready!()).toBe(true);
    expect(futures[1]!.get!()).toBeUndefined();
    expect(futures[1]!.get!()).toMatchObject({ val: { tag: 'ok' } });
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
    ['denied', 'why', 'HTTP-request-denied'],
    ['timeout', 'http://a: no answer within 5 ms', 'connection-read-timeout'],
    ['timeout', 'http://a: no further byte within 5 ms', 'connection-read-timeout'],
    ['timeout', 'http://a: no connection within 5 ms', 'connection-timeout'],
    ['limit', 'why', 'HTTP-response-body-size'],
    ['io', 'http://a could not be asked: ECONNREFUSED', 'connection-refused'],
    ['io', 'http://a could not be asked: ECONNRESET', 'HTTP-protocol-error'],
    ['io', 'http://a did not answer', 'HTTP-protocol-error'],
    ['io', 'http://a was not found: its name has no address', 'DNS-error'],
    ['io', 'https://a has no trusted certificate: CERT_HAS_EXPIRED', 'TLS-certificate-error'],
    ['io', 'why', 'internal-error'],
  ] as const)('gives what the kernel refused as %s, "%s"', (tag, text, code) => {
    const wasi = openWasi({
      answer: () => {
        throw new HostFailure(tag, text);
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

  const sizeError = (val: number) => ({ tag: 'HTTP-request-body-size', val: BigInt(val) });

  it.each<[string, string | undefined, number[], object | undefined]>([
    ['as long as it promised', '5', [2, 3], undefined],
    ['shorter', '5', [2], sizeError(2)],
    ['not written at all', '5', [], sizeError(0)],
    ['longer', '5', [5, 1], sizeError(6)],
    ['longer, and then what would fit', '5', [6, 2], sizeError(6)],
    ['of 5 MiB in parts', undefined, Array(80).fill(65_536), sizeError(65 * 65_536)],
    ['of 5 MiB as promised', '5242880', Array(80).fill(65_536), sizeError(65 * 65_536)],
    ['without a promise', undefined, [2], undefined],
  ])('sends a body that is %s whole or not at all', (_what, announced, parts, error) => {
    const wasi = openWasi({ answer });
    const request = newRequest(
      wasi,
      announced === undefined ? [] : [['Content-Length', bytes(announced)]],
    );
    request.setMethod!({ tag: 'post' });
    const body = request.body!() as Guest;
    const future = handle(wasi, request);
    const stream = body.write!() as Guest;
    for (const part of parts) {
      try {
        stream.write!(new Uint8Array(part));
      } catch {
        // A stream that failed stays so.
      }
    }
    const finish = () => kindOf(wasi, 'OutgoingBody').finish!(body, undefined);
    if (error === undefined) finish();
    else expect(payloadOf(finish)).toEqual(error);
    expect(wasi.asked).toHaveLength(error === undefined ? 1 : 0);
    const answered = error === undefined ? { tag: 'ok' } : { tag: 'err', val: error };
    expect(future.get!()).toMatchObject({ tag: 'ok', val: answered });
  });

  it('makes no body of a length that is no number', () => {
    const wasi = openWasi({ answer });
    for (const text of ['-1', '1x', '', '1e3']) {
      const request = newRequest(wasi, [['content-length', bytes(text)]]);
      expect(payloadOf(() => request.body!())).toBeUndefined();
    }
  });

  it('refuses trailers of a request by name, and hands over those of an answer', () => {
    const wasi = openWasi({ answer: () => ({ ...answer(), trailers: [['x-sum', 'abc']] }) });
    const Fields = kindOf(wasi, 'Fields');
    const send = (trailers: unknown): Guest => {
      const request = newRequest(wasi);
      const body = request.body!() as Guest;
      const future = handle(wasi, request);
      kindOf(wasi, 'OutgoingBody').finish!(body, trailers);
      return future;
    };
    expect(payloadOf(() => send(Fields.fromList!([['x-sum', bytes('abc')]])))).toEqual({
      tag: 'internal-error',
      val: 'trailers of a request are not sent',
    });
    expect(wasi.asked).toEqual([]);
    const { val } = send(new Fields()).get!() as { val: { val: Guest } };
    const incoming = val.val.consume!() as Guest;
    const trailers = kindOf(wasi, 'IncomingBody').finish!(incoming) as Guest;
    const given = trailers.get!() as { val: { val: Guest } };
    expect(given.val.val.entries!()).toEqual([['x-sum', Buffer.from('abc')]]);
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
