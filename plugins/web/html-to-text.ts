/** A page as a reader sees it: its title, and its words with headings, lists and links. */
export type PageText = { title: string; text: string };

/** Elements to leave out; their content is not text of the page. */
const skipped = 'script|style|noscript|template|svg|head|iframe|object|select|button|nav|footer';
/** Elements that begin a line of their own. */
const blocks =
  'address|article|aside|blockquote|div|dl|dd|dt|fieldset|figure|form|h[1-6]|header|hr|li|main|ol|p|pre|section|table|tr|ul|br';

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®' },
  ...{ mdash: '—', ndash: '–', hellip: '…', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
  ...{ laquo: '«', raquo: '»', bull: '•', middot: '·', times: '×', euro: '€', trade: '™' },
};

/** Up to the next link: one that is not closed would be looked through again for each behind it. */
const link = /<a\b([^<>]*)>((?:(?!<a\b)[\s\S]){0,2000}?)<\/a\s*>/gi;

/**
 * The text of an HTML page. No parser of browsers: what is not closed goes to its end, and scripts
 * never run, so a page that makes its words by a script has few.
 */
export function htmlToText(html: string): PageText {
  const title = /<title\b[^<>]*>([^<]{0,1000})/i.exec(html)?.[1] ?? '';
  const text = withoutSkipped(html.replace(/<!--[\s\S]*?(?:-->|$)/g, ''))
    .replace(/\s+/g, ' ')
    .replace(/<h([1-6])\b[^<>]*>/gi, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replace(/<li\b[^<>]*>/gi, '\n- ')
    .replace(/<\/?t[dh]\b[^<>]*>/gi, ' ')
    .replace(link, linked)
    .replace(new RegExp(`</?(?:${blocks})\\b[^<>]*>`, 'gi'), '\n')
    .replace(/<[^<>]*>/g, '');
  const lines = decoded(text)
    .split('\n')
    .map((line) => line.replace(/[ \t\u00a0]+/g, ' ').trim());
  return {
    title: decoded(title).replace(/\s+/g, ' ').trim(),
    text: lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  };
}

/** One element after the other: an expression over all of them could take for ever. */
function withoutSkipped(html: string): string {
  const opening = new RegExp(`<(${skipped})\\b[^<>]*>`, 'gi');
  let kept = '';
  let at = 0;
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    const [tag, name = ''] = found;
    kept += html.slice(at, found.index);
    at = found.index + tag.length;
    if (!tag.endsWith('/>')) {
      const end = closing(html, name, at);
      at = end;
      opening.lastIndex = end;
    }
  }
  return kept + html.slice(at);
}

function closing(html: string, name: string, from: number): number {
  // A page may leave out the end of its head.
  const isHead = name.toLowerCase() === 'head';
  const end = new RegExp(isHead ? '</head\\b[^<>]*>|<body\\b[^<>]*>' : `</${name}\\b[^<>]*>`, 'gi');
  end.lastIndex = from;
  const found = end.exec(html);
  return found === null ? html.length : found.index + found[0].length;
}

/** The address follows the words of a link, unless they are the same or it stays on the page. */
function linked(_: string, attributes: string, words: string): string {
  const href = /\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(attributes)?.[1] ?? '';
  const plain = words.replace(/<[^<>]*>/g, '').trim();
  const leads = /^https?:/i.test(href) && plain !== href && plain !== '';
  return leads ? `${words} (${href})` : words;
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi,
    (whole, hex, dec, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(dec) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : '\ufffd';
    },
  );
}
