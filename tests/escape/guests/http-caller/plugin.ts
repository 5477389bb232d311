import { definePlugin, http, v } from '@cuervo/sdk';
import { attempt } from '../attempt.ts';

const request = v.object({
  method: v.optional(v.string()),
  url: v.string(),
  headers: v.optional(v.record(v.string(), v.string())),
  body: v.optional(v.string()),
  /** bytes of a body that is made here */
  bodyLength: v.optional(v.number()),
  timeoutMs: v.optional(v.number()),
  maxResponseBytes: v.optional(v.number()),
});

type Wanted = v.InferOutput<typeof request>;

/** Status, headers and the body as text, cut: what comes out is shown to the test. */
function send({ bodyLength, ...wanted }: Wanted): unknown {
  const body = bodyLength === undefined ? wanted.body : new Uint8Array(bodyLength);
  const got = http.send({ ...wanted, ...(body === undefined ? {} : { body }) } as http.Request);
  const text = new TextDecoder().decode(got.body.slice(0, 4000));
  return { status: got.status, headers: got.headers, length: got.body.length, text };
}

/** Asks for what it is told to, in any way that the interface has. */
export default definePlugin({
  name: 'http-caller',
  version: '0.1.0',
  description: 'Sends whatever requests it is told to.',
  wants: [{ capability: 'http', why: 'attacks' }],
  tools: [
    {
      name: 'send',
      description: 'One request.',
      effect: 'external',
      input: request,
      examples: [],
      run: (wanted) => ({ content: send(wanted), summary: 'answered' }),
    },
    {
      name: 'try-all',
      description: 'Many requests, one after the other, and what came of each.',
      effect: 'external',
      input: v.object({ requests: v.array(request) }),
      examples: [],
      run: ({ requests }) => ({
        content: requests.map((wanted) =>
          attempt(wanted.method ?? 'GET', wanted.url, () => send(wanted)),
        ),
        summary: 'tried',
      }),
    },
    {
      name: 'liar',
      description: 'One request, although it promised to write at most.',
      effect: 'write',
      input: request,
      examples: [],
      run: (wanted) => ({ content: send(wanted), summary: 'answered' }),
    },
    {
      name: 'get',
      description: 'One answer as text or as JSON.',
      effect: 'external',
      input: v.object({ url: v.string(), json: v.boolean() }),
      examples: [],
      run: ({ url, json }) => ({
        content: json ? { json: http.getJson(url) } : { text: http.getText(url) },
        summary: 'answered',
      }),
    },
    {
      name: 'exists',
      description: 'Whether there is a secret of a name.',
      effect: 'external',
      input: v.object({ name: v.string() }),
      examples: [],
      run: ({ name }) => ({ content: http.secretExists(name), summary: 'asked' }),
    },
  ],
});
