import type { HostErrorCase } from '../../contracts/tool.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import { wasiLimits } from '../gate-ports.ts';
import {
  bytesOf,
  defineResource,
  type ResourceCount,
  type ResourceKind,
  textOf,
  WasiFailure,
} from '../resource.ts';

/** `wasi:http/types.error-code`, as far as it is given here. */
export type HttpError = { tag: string; val?: unknown };

const byCase: Readonly<Record<HostErrorCase, string>> = {
  denied: 'HTTP-request-denied',
  'not-found': 'destination-not-found',
  invalid: 'HTTP-request-URI-invalid',
  limit: 'HTTP-response-body-size',
  timeout: 'connection-read-timeout',
  conflict: 'internal-error',
  io: 'internal-error',
};

/** Cases of the kernel that its words divide further, as `src/http` writes them. */
const byWords: readonly (readonly [RegExp, HttpError])[] = [
  [/: no connection within \d+ ms$/, { tag: 'connection-timeout' }],
  [/: ECONNREFUSED$/, { tag: 'connection-refused' }],
  [/ has no trusted certificate: /, { tag: 'TLS-certificate-error' }],
  [/ did not answer$|: (?:ECONNRESET|EPIPE|HPE_\w+)$/, { tag: 'HTTP-protocol-error' }],
  [/ has no address$/, { tag: 'DNS-error', val: { rcode: 'address not available', infoCode: 0 } }],
];

/** An error of the kernel; any other error is thrown again. */
export function httpErrorOf(thrown: unknown): HttpError {
  if (!(thrown instanceof HostFailure)) throw thrown;
  const { tag: hostCase, val: text } = thrown.payload;
  const isDivided = hostCase === 'io' || hostCase === 'timeout';
  const known = isDivided ? byWords.find(([words]) => words.test(text))?.[1] : undefined;
  if (known !== undefined) return { val: undefined, ...known };
  const tag = byCase[hostCase];
  return { tag, val: tag === 'internal-error' ? text : undefined };
}

type Entry = [name: string, value: Uint8Array];
/** Names keep the case they were given in and are compared without it. */
export type Fields = { entries: readonly Entry[]; isImmutable: boolean };

const nameSyntax = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Headers of a connection, which only the host sets. */
const forbidden: ReadonlySet<string> = new Set([
  ...['connection', 'host', 'http2-settings', 'keep-alive', 'proxy-authenticate'],
  ...['proxy-authorization', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'],
]);

/** `wasi:http/types.fields`. */
export function createFields(count: ResourceCount): {
  kind: ResourceKind<Fields>;
  /** of headers as the kernel gives them; a guest may read them */
  ofResponse(headers: readonly (readonly [string, string])[]): Fields;
} {
  const kind: ResourceKind<Fields> = defineResource<Fields>({
    name: 'fields',
    count,
    construct: () => ({ entries: [], isImmutable: false }),
    statics: {
      fromList: (list) => {
        const entries = listOf(list).map((entry): Entry => {
          const [name, value] = listOf(entry);
          return checkedEntry(name, value);
        });
        return kind.make({ entries: withinLimits(entries), isImmutable: false });
      },
    },
    methods: {
      get: ({ entries }, name) => {
        const key = keyOf(name);
        return entries.filter(([one]) => keyOf(one) === key).map(([, value]) => value);
      },
      has: ({ entries }, name) => {
        const key = keyOf(name);
        return entries.some(([one]) => keyOf(one) === key);
      },
      set: (fields, name, values) => {
        const key = keyOf(name);
        const added = listOf(values).map((value) => checkedEntry(name, value));
        change(fields, [...fields.entries.filter(([one]) => keyOf(one) !== key), ...added]);
      },
      delete: (fields, name) => {
        const key = keyOf(name);
        change(
          fields,
          fields.entries.filter(([one]) => keyOf(one) !== key),
        );
      },
      append: (fields, name, value) => {
        change(fields, [...fields.entries, checkedEntry(name, value)]);
      },
      entries: ({ entries }) => [...entries],
      // Of 0.3 are these two.
      copyAll: ({ entries }) => [...entries],
      getAndDelete: (fields, name) => {
        const key = keyOf(name);
        const taken = fields.entries.filter(([one]) => keyOf(one) === key);
        change(
          fields,
          fields.entries.filter(([one]) => keyOf(one) !== key),
        );
        return taken.map(([, value]) => value);
      },
      clone: ({ entries }) => kind.make({ entries, isImmutable: false }),
    },
  });
  return {
    kind,
    ofResponse: (headers) => ({
      entries: headers.map(([name, value]): Entry => [name, Buffer.from(value, 'latin1')]),
      isImmutable: true,
    }),
  };
}

/** Fields as the kernel takes them. */
export function toHeaders({ entries }: Fields): [string, string][] {
  return entries.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
}

function change(fields: Fields, entries: Entry[]): void {
  if (fields.isImmutable) throw headerError('immutable');
  fields.entries = withinLimits(entries);
}

function checkedEntry(name: unknown, value: unknown): Entry {
  const text = textOf(name);
  // Checked before it is copied: it may be as large as the guest's memory.
  const bytes = bytesOf(value);
  if (!nameSyntax.test(text)) throw headerError('invalid-syntax');
  if (forbidden.has(text.toLowerCase())) throw headerError('forbidden');
  if (bytes.length > wasiLimits.httpHeaderBytes) throw headerError('forbidden');
  if (bytes.some((byte) => byte === 0 || byte === 10 || byte === 13)) {
    throw headerError('invalid-syntax');
  }
  return [text, bytes.slice()];
}

function withinLimits(entries: Entry[]): Entry[] {
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (entries.length > wasiLimits.httpHeaders || bytes > wasiLimits.httpHeaderBytes) {
    throw headerError('forbidden');
  }
  return entries;
}

function headerError(tag: 'invalid-syntax' | 'forbidden' | 'immutable'): WasiFailure {
  return new WasiFailure({ tag });
}

function keyOf(name: unknown): string {
  return textOf(name).toLowerCase();
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError('an argument is not a list');
  if (value.length > wasiLimits.httpHeaders) throw headerError('forbidden');
  return value;
}
