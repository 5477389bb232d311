/**
 * In place of the real program of a plugin process: speaks the protocol wrongly, in the way
 * that the name of the entry says. Descriptors and kinds as in `src/protocol`.
 */
import { readSync, writeSync } from 'node:fs';

const [ready, result, log, progress, request, output] = [65, 66, 67, 68, 70, 72];

function read(from = 3) {
  const header = Buffer.alloc(5);
  fill(header, from);
  const payload = Buffer.alloc(header.readUInt32LE(0) - 1);
  fill(payload, from);
  // A call is not JSON: its id stands in front.
  return header[4] === 2 ? { id: payload.readUInt32LE(0) } : JSON.parse(payload.toString());
}

function fill(buffer, from) {
  let filled = 0;
  while (filled < buffer.length) {
    const got = readSync(from, buffer, filled, buffer.length - filled, null);
    if (got === 0) process.exit(0);
    filled += got;
  }
}

function write(bytes) {
  let sent = 0;
  while (sent < bytes.length) sent += writeSync(4, bytes, sent);
}

function frame(kind, text) {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(5);
  header.writeUInt32LE(payload.length + 1, 0);
  header[4] = kind;
  return Buffer.concat([header, payload]);
}

const send = (kind, message) => write(frame(kind, JSON.stringify(message)));
const bytesOf = (text) => Buffer.byteLength(text);
/** What a call gave, as texts: the content, the summary and its host calls. */
const outputFrame = (
  { id, calls, summary, content },
  lengths = [content, summary].map(bytesOf),
) => {
  const numbers = Buffer.alloc(12);
  for (const [index, number] of [id, ...lengths].entries())
    numbers.writeUInt32LE(number, 4 * index);
  return frame(output, Buffer.concat([numbers, Buffer.from(`${content}${summary}${calls}`)]));
};
const answer = (call, more = {}) => write(outputFrame(ok(call, more)));
const announce = (length) => {
  const header = Buffer.alloc(5);
  header.writeUInt32LE(length >>> 0, 0);
  header[4] = result;
  write(header);
};
const ok = (call, more = {}) => ({
  id: call.id,
  calls: '',
  content: 'answer',
  summary: '',
  ...more,
});
const polluting = `"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}`;
const hostCall = { call: 'fs.stat', target: '', outcome: 'ok', durationMs: 0 };
/** Tells of one host call whose fields are these; a text goes into the JSON as it is. */
const tells = (more) => (call) => {
  const text = typeof more === 'string' ? more : JSON.stringify(more).slice(1, -1);
  answer(call, { calls: `[{${JSON.stringify(hostCall).slice(1, -1)},${text}}]` });
};
const asks = (more) => (call) => send(request, { id: call.id, call: 'kv.get', args: [], ...more });

const overlaps = (call, count) => {
  for (let seq = 1; seq <= count; seq += 1) asks({ call: 'http.send', args: [{}], seq })(call);
};

const nested = '['.repeat(4_000_000) + ']'.repeat(4_000_000);

/** What it does with a call. */
const attacks = {
  'well-behaved': (call) => answer(call),
  'byte-by-byte': (call) => {
    for (const byte of outputFrame(ok(call))) write(Buffer.of(byte));
  },
  'announces-4-gigabytes': () => announce(0xffffffff),
  'announces-9-megabytes': () => announce(9 * 1024 * 1024),
  'announces-nothing': () => announce(0),
  'ends-in-the-middle': () => {
    write(frame(result, '{"id":1').subarray(0, 8));
    process.exit(0);
  },
  'unknown-kind': () => write(frame(7, '{}')),
  'kind-of-the-kernel': () => write(frame(1, '{}')),
  'no-json': () => write(frame(result, '{"id":')),
  'no-utf-8': () => write(frame(result, Buffer.of(0xff, 0xfe, 0x22))),
  'not-an-object': () => write(frame(result, '[1,2]')),
  'no-outcome': (call) => send(result, { id: call.id, calls: [] }),
  'unknown-outcome': (call) =>
    send(result, { id: call.id, calls: [], outcome: 'granted', message: '' }),
  'output-as-json': (call) => send(result, { ...ok(call), calls: [], outcome: 'ok' }),
  'calls-are-no-list': (call) => answer(call, { calls: '"many"' }),
  'calls-without-end': (call) => answer(call, { calls: `[${'0,'.repeat(4_000_000)}0]` }),
  'calls-nested-deep': (call) => answer(call, { calls: nested }),
  'asks-nested-deep': (call) =>
    write(frame(request, `{"id":${call.id},"call":"kv.get","args":[${nested}]}`)),
  'asks-and-reads-nothing': (call) => {
    for (;;) {
      asks({})(call);
      // Asking before it was answered is another attack.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
  },
  'asks-and-reads': (call) => {
    for (let index = 0; index < 5; index += 1) {
      asks({})(call);
      read();
    }
    answer(call);
  },
  'overlaps-without-end': (call) => overlaps(call, 1000),
  'overlaps-and-reads-late': (call) => {
    overlaps(call, 10);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    for (let index = 0; index < 10; index += 1) read(later);
    answer(call);
  },
  'calls-are-no-json': (call) => answer(call, { calls: '[{' }),
  'calls-of-nothing': (call) => answer(call, { calls: '[null]' }),
  'output-without-numbers': () => write(frame(output, 'answer')),
  'output-without-anything': () => write(frame(output, '')),
  'texts-that-are-not-there': (call) => write(outputFrame(ok(call), [0, 7])),
  'texts-of-gigabytes': (call) => write(outputFrame(ok(call), [0xffffffff, 0xffffffff])),
  'unknown-error-case': (call) =>
    send(result, { id: call.id, calls: [], outcome: 'error', case: 'root', message: '' }),
  'negative-duration': (call) =>
    answer(call, { calls: JSON.stringify([{ ...hostCall, durationMs: -1 }]) }),
  'half-a-byte': tells({ bytes: 0.5 }),
  'less-than-no-byte': tells({ bytes: -1 }),
  'bytes-as-text': tells({ bytes: '1' }),
  'bytes-without-end': tells('"bytes":1e999'),
  'bytes-above-all-integers': tells({ bytes: 2 ** 60 }),
  'time-without-end': tells('"durationMs":1e999'),
  'time-of-a-year': tells({ durationMs: 365 * 86_400_000 }),
  'target-without-end': tells({ target: 'x'.repeat(2000) }),
  'target-as-list': tells({ target: ['a'] }),
  'outcome-of-its-own': tells({ outcome: 'granted' }),
  'half-an-id': (call) =>
    send(result, { id: call.id + 0.5, calls: [], outcome: 'trap', message: '' }),
  'progress-without-end': (call) =>
    write(frame(progress, `{"id":${call.id},"label":"","done":1e999}`)),
  'tells-of-a-program': tells({ call: 'exec.run', target: '/bin/true' }),
  'tells-of-a-connection': tells({ call: 'exec.connect', target: 'https://example.org' }),
  'tells-of-a-request': tells({ call: 'http.send', target: 'GET https://example.org' }),
  'tells-of-a-write': tells({ call: 'fs-write.write-text', target: 'work:a' }),
  'tells-of-a-value': tells({ call: 'kv.set', target: 'a' }),
  'tells-of-a-memory': tells({ call: 'memory.remember' }),
  'tells-of-chance': tells({ call: 'random.bytes' }),
  'tells-of-a-denial': tells({ call: 'exec.run', outcome: 'denied' }),
  'tells-of-what-there-is-not': tells({ call: 'fs.format-disk' }),
  'tells-of-a-denial-with-a-trap': (call) =>
    send(result, {
      id: call.id,
      calls: [{ ...hostCall, call: 'kv.set' }],
      outcome: 'trap',
      message: '',
    }),
  'tells-of-its-own': tells({ call: 'clock.now-ms', bytes: 8 }),
  'asks-for-what-there-is-not': asks({ call: 'kernel.stop' }),
  'asks-for-what-it-makes-itself': asks({ call: 'fs.stat' }),
  'asks-for-more-than-there-is': asks({ args: Array(9).fill('a') }),
  'asks-for-a-refusal-of-nothing': asks({ call: 'refuse.call' }),
  'asks-for-a-refusal-by-any-name': asks({ call: 'refuse.call', args: ['<b>all</b>'] }),
  'asks-for-another-call': (call) => send(request, { id: call.id + 1, call: 'kv.get', args: [] }),
  'asks-and-answers': (call) => {
    asks({ call: 'refuse.call', args: ['network.connect'] })(call);
    if (read().error === undefined) process.exit(3);
    answer(call);
  },
  'prototype-keys': (call) =>
    write(frame(result, `{${polluting},"id":${call.id},"calls":[],"outcome":"trap","message":""}`)),
  'prototype-keys-of-calls': (call) =>
    answer(call, { calls: `[{${polluting},${JSON.stringify(hostCall).slice(1)}]` }),
  'answers-another-call': (call) => answer(call, { id: call.id + 1 }),
  'answers-by-text': (call) =>
    send(result, { id: String(call.id), calls: [], outcome: 'trap', message: '' }),
  'ready-again': () => send(ready, { ms: 1 }),
  'answers-twice': (call) => {
    const bytes = outputFrame(ok(call));
    write(Buffer.concat([bytes, bytes]));
  },
  'describes-instead': (call) =>
    send(result, { id: call.id, calls: [], outcome: 'described', tools: [] }),
  'result-of-2-megabytes': (call) => answer(call, { content: 'x'.repeat(2 ** 21) }),
  'message-of-a-megabyte': (call) =>
    send(result, { id: call.id, calls: [], outcome: 'trap', message: 'x'.repeat(2 ** 20) }),
  'host-calls-above-the-limit': (call) =>
    answer(call, { calls: JSON.stringify(Array(1001).fill(hostCall)) }),
  'logs-above-the-limit': (call) => {
    for (let index = 0; index < 5000; index += 1)
      send(log, { level: 'info', message: 'x'.repeat(100) });
    answer(call);
  },
  'log-of-unknown-level': () => send(log, { level: 'shell', message: '' }),
  dies: () => process.exit(3),
  aborts: () => process.abort(),
  'says-nothing': () => read(),
};

const { entry, later } = read();
if (entry === 'never-ready') read();
if (entry === 'answers-before-ready') answer({ id: 1 });
if (entry === 'logs-before-ready') send(log, { level: 'info', message: 'early' });
send(ready, { ms: 1 });
if (entry === 'answers-before-it-is-asked') answer({ id: 1 });
for (;;) attacks[entry](read());
