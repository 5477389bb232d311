import * as v from 'valibot';
import { KernelError } from '../contracts/error.ts';

const loginSchema = v.object({
  issuer: v.string(),
  /** where tokens come from */
  endpoint: v.string(),
  /** how a client may say who it is there */
  methods: v.array(v.string()),
  client: v.object({
    client_id: v.string(),
    client_secret: v.exactOptional(v.string()),
    token_endpoint_auth_method: v.exactOptional(v.string()),
  }),
  resource: v.exactOptional(v.string()),
  refresh: v.exactOptional(v.string()),
});

/** What is kept of a sign-in beside its token, as a secret. */
export type Login = v.InferOutput<typeof loginSchema>;

/** As a secret holds it: printable ASCII. */
export function formatLogin(login: Login): string {
  return JSON.stringify(login).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @throws {KernelError} `invalid-argument`, without a word of what it holds */
export function parseLogin(text: string, name: string): Login {
  const parsed = v.safeParse(loginSchema, decode(text), { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw new KernelError('invalid-argument', `the secret ${name} holds no sign-in`, {
    hint: `Take it away, and sign in again: cuervo secret remove ${name}`,
  });
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
