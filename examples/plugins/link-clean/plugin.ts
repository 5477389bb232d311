import { definePlugin, v } from '@cuervo/sdk';

/** Parameters that tell who followed a link, and nothing that the page needs. */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|_hs\w+|vero_\w+|ref_src)$/i;
const address = /https?:\/\/[^\s<>"')\]]+/g;

export default definePlugin({
  name: 'link-clean',
  version: '0.1.0',
  description:
    'Takes tracking parameters out of the links of a text, with the URL parser of the web.',
  licence: 'Apache-2.0',
  wants: [],
  tools: [
    {
      name: 'clean',
      description:
        'The text with links that have lost parameters such as utm_source, gclid and fbclid.',
      effect: 'pure',
      input: v.object({ text: v.pipe(v.string(), v.description('any text with links')) }),
      examples: [{ text: 'see https://example.org/a?id=7&utm_source=mail' }],
      run: ({ text }) => {
        let removed = 0;
        const cleaned = text.replace(address, (link) => {
          const url = parsed(link);
          if (url === undefined) return link;
          const names = [...url.searchParams.keys()].filter((name) => tracking.test(name));
          if (names.length === 0) return link;
          removed += names.length;
          for (const name of names) url.searchParams.delete(name);
          return url.href;
        });
        return { content: { text: cleaned, removed }, summary: `${removed} parameters removed` };
      },
    },
  ],
});

function parsed(link: string): URL | undefined {
  try {
    return new URL(link);
  } catch {
    return undefined;
  }
}
