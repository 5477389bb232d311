import { textOf } from '../guest-argument.ts';
import { defineResource, type ResourceCount, type ResourceKind } from '../resource.ts';
import { WasiFailure } from '../wasi-failure.ts';
import type { Fields } from './fields.ts';
import { newOutgoingBody, type OutgoingBody } from './outgoing-body.ts';

type Variant = { tag: string; val?: unknown };

export type OutgoingRequest = {
  method: Variant;
  path: string | undefined;
  scheme: Variant | undefined;
  authority: string | undefined;
  headers: Fields;
  body: OutgoingBody | undefined;
};

const methods: ReadonlySet<string> = new Set([
  ...['get', 'head', 'post', 'put', 'delete', 'connect', 'options', 'trace', 'patch'],
]);
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;
/** Longer than the addresses that servers take. */
const maxAddressLength = 16 * 1024;

/** `wasi:http/types.outgoing-request`. */
export function createOutgoingRequests(ports: {
  count: ResourceCount;
  fields: ResourceKind<Fields>;
  bodies: ResourceKind<OutgoingBody>;
}): ResourceKind<OutgoingRequest> {
  const { fields, bodies } = ports;
  return defineResource<OutgoingRequest>({
    name: 'outgoing-request',
    count: ports.count,
    construct: (headers) => ({
      method: { tag: 'get' },
      path: undefined,
      scheme: undefined,
      authority: undefined,
      headers: { ...fields.consume(headers), isImmutable: true },
      body: undefined,
    }),
    methods: {
      body: (request) => {
        if (request.body !== undefined) throw new WasiFailure(undefined);
        request.body = newOutgoingBody(announcedBytes(request.headers));
        return bodies.make(request.body);
      },
      headers: ({ headers }) => fields.make(headers),
      method: ({ method }) => method,
      setMethod: (request, method) => {
        const { tag, val } = variantOf(method);
        if (tag === 'other') request.method = { tag, val: matching(val, token) };
        else if (methods.has(tag)) request.method = { tag };
        else throw new TypeError('an argument is not a method');
      },
      pathWithQuery: ({ path }) => path,
      setPathWithQuery: (request, path) => {
        request.path = path === undefined ? undefined : matching(path, /^(?:[/?*][\x21-\x7e]*)?$/);
      },
      scheme: ({ scheme }) => scheme,
      setScheme: (request, scheme) => {
        if (scheme === undefined) request.scheme = undefined;
        else {
          const { tag, val } = variantOf(scheme);
          const other = tag === 'other' ? { val: matching(val, /^[a-z][a-z0-9+.-]{0,63}$/i) } : {};
          request.scheme = { tag, ...other };
        }
      },
      authority: ({ authority }) => authority,
      setAuthority: (request, authority) => {
        request.authority =
          authority === undefined ? undefined : matching(authority, /^[^\s/?#@\\]+$/);
      },
    },
  });
}

/** What `content-length` promises. */
function announcedBytes({ entries }: Fields): number | undefined {
  const found = entries.find(([name]) => name.toLowerCase() === 'content-length');
  if (found === undefined) return undefined;
  const text = Buffer.from(found[1]).toString('latin1');
  if (!/^\d{1,15}$/.test(text)) throw new WasiFailure(undefined);
  return Number(text);
}

/** The address that the kernel is asked for; it decides by what it parses of it. */
export function urlOf({ scheme, authority, path }: OutgoingRequest): string {
  const name = scheme?.tag === 'other' ? String(scheme.val) : (scheme?.tag ?? 'HTTPS');
  return `${name.toLowerCase()}://${authority ?? ''}${path ?? '/'}`;
}

export function methodOf({ method }: OutgoingRequest): string {
  return method.tag === 'other' ? String(method.val) : method.tag.toUpperCase();
}

function matching(value: unknown, syntax: RegExp): string {
  const text = textOf(value);
  if (text.length > maxAddressLength || !syntax.test(text)) throw new WasiFailure(undefined);
  return text;
}

function variantOf(value: unknown): Variant {
  if (typeof value !== 'object' || value === null || !('tag' in value)) {
    throw new TypeError('an argument is not a variant');
  }
  return { ...(value as Variant), tag: textOf(value.tag) };
}
