import { definePlugin, http, ToolError, v } from '@cuervo/sdk';
import { htmlToText } from './html-to-text.ts';
import { contentType, isHtml, readBody } from './read-body.ts';

/** Characters of a page that one answer holds where nothing is said. */
const usualCharacters = 20_000;
const mostCharacters = 200_000;

export default definePlugin({
  name: 'web',
  version: '0.1.0',
  description: 'Reads pages of the web, from the origins that it was granted and no others.',
  licence: 'Apache-2.0',
  wants: [
    { capability: 'http', why: 'gets the page that it is asked for, and sends nothing else' },
  ],
  tools: [
    {
      name: 'fetch',
      description:
        'Gets one page or file of the web by its URL and gives its text: HTML as headings, paragraphs, lists and links, JSON and other text as it is. Runs no scripts and sends no cookies. Needs the network: a person has to allow the origin. Not for files of the workspace.',
      effect: 'external',
      input: v.object({
        url: v.pipe(
          v.string(),
          v.maxLength(8192),
          v.description('the whole address, e.g. https://example.org/guide.html'),
        ),
        start: v.optional(
          v.pipe(v.number(), v.integer(), v.minValue(0), v.description('characters to skip')),
        ),
        limit: v.optional(
          v.pipe(
            v.number(),
            v.integer(),
            v.minValue(1),
            v.maxValue(mostCharacters),
            v.description(`characters; default ${usualCharacters}`),
          ),
        ),
        raw: v.optional(v.pipe(v.boolean(), v.description('HTML as it came'))),
      }),
      examples: [{ url: 'https://nodejs.org/api/fs.html', limit: 5000 }],
      run: ({ url, start = 0, limit = usualCharacters, raw = false }) => {
        const answer = http.send({
          url,
          headers: { accept: 'text/html, text/*;q=0.9, */*;q=0.1' },
        });
        const { status, headers, body } = answer;
        if (status >= 300 && status < 400) {
          const to = headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? 'nowhere';
          throw new ToolError('failed', `${url} leads to ${to}; fetch that`);
        }
        if (status < 200 || status >= 300) {
          const isGone = status === 404 || status === 410;
          const text = `${url} answered with status ${status}`;
          throw new ToolError(isGone ? 'not-found' : 'failed', text);
        }
        const type = contentType(headers);
        const whole = readBody(body, type, url);
        const isPage = !raw && isHtml(type.type);
        const page = isPage ? htmlToText(whole) : { title: '', text: whole };
        const part = page.text.slice(start, start + limit);
        const left = page.text.length - start - part.length;
        return {
          content: {
            url,
            ...(page.title === '' ? {} : { title: page.title }),
            type: type.type,
            text: part,
            ...(left > 0 ? { next: start + part.length, left } : {}),
          },
          summary: `${part.length} of ${page.text.length} characters${page.title === '' ? '' : ` of "${page.title}"`}`,
        };
      },
    },
  ],
});
