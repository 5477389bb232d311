import { definePlugin, http, ToolError, v } from '@cuervo/sdk';

const url = v.pipe(v.string(), v.regex(/^https:\/\/[^\s/]+/, 'is no https address'));
const secret = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'is no name of a secret'),
    v.description('name of a secret that goes into the header Authorization: Bearer'),
  ),
);

export default definePlugin({
  name: 'web-json',
  version: '0.1.0',
  description: 'Asks JSON interfaces of web servers, with a secret that it names and never sees.',
  licence: 'Apache-2.0',
  wants: [{ capability: 'http', why: 'sends the requests that are asked for' }],
  tools: [
    {
      name: 'get',
      description:
        'JSON that a web server answers to a GET request, with a secret where one is named.',
      effect: 'external',
      input: v.object({ url, secret }),
      examples: [
        { url: 'https://api.example.org/items' },
        { url: 'https://api.example.org/me', secret: 'EXAMPLE_TOKEN' },
      ],
      run: ({ url: address, secret: name }) => {
        if (name !== undefined && !http.secretExists(name)) {
          throw new ToolError(
            'not-found',
            `there is no secret ${name}: cuervo secret set ${name} --for ${originOf(address)}`,
          );
        }
        const headers = name === undefined ? {} : { authorization: `Bearer {{secret:${name}}}` };
        const content = http.getJson(address, { headers });
        return { content, summary: `${shapeOf(content)} from ${originOf(address)}` };
      },
    },
  ],
});

function originOf(address: string): string {
  return /^https:\/\/[^/?#]+/.exec(address)?.[0] ?? address;
}

function shapeOf(content: unknown): string {
  if (Array.isArray(content)) return `a list of ${content.length}`;
  if (typeof content === 'object' && content !== null)
    return `an object of ${Object.keys(content).length} fields`;
  return 'a value';
}
