import { urlIn } from '../../lib/text/words.ts';
import type { Kind } from '../kind.ts';

export type WebReading = { kind: 'web'; url: string };

export const web: Kind<WebReading> = {
  form: ({ text }) => {
    const url = readWebPage(text);
    return url === undefined ? undefined : { kind: 'web', url };
  },
  named: ({ url }) => (url === undefined ? undefined : { kind: 'web', url }),
  plan: ({ url }) => [{ tool: 'web.fetch', input: { url } }],
  // Nothing else says what stands on a page.
  wider: () => [],
};

const verb =
  /^\s*(?:(?:please|now|can you|could you)\s+)*(?:fetch|download|get|open|read|load|visit|browse|show|print|display|view|curl|wget|summari[sz]e|go to|look at)\b/i;
const saysWhat = /^\s*what(?:'s| is| does| do)\b.*\b(?:on|at|in|does|say|says)\b/i;
/** Words that may surround the address of a wanted page; each word in one way only. */
const around =
  /^(?:[\s“”"'<>().,:;?!]|\b(?:me|the|this|that|a|an|page|pages|url|link|address|website|site|web|webpage|file|text|contents?|document|of|from|at|on|in|to|please|now|for|fetch|download|get|open|read|load|visit|browse|show|print|display|view|curl|wget|summari[sz]e|go|look|can|could|you|what|is|does|do|say|says|there|and|tell|it)\b|what's)*$/i;

/** The address whose page is asked for: `fetch https://…`, or an address and nothing else. */
function readWebPage(question: string): string | undefined {
  const url = urlIn(question);
  if (url === undefined) return undefined;
  const rest = question.replace(url, ' ');
  if (rest.includes('://') || !around.test(rest)) return undefined;
  const isAlone = /^[\s“"'<(]*[)>”"'.,:;?!\s]*$/.test(rest);
  return isAlone || verb.test(question) || saysWhat.test(question) ? url : undefined;
}
