import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../tests/support/cpu-ms.ts';
import { htmlToText } from './html-to-text.ts';

describe('htmlToText()', () => {
  it('gives title, headings, paragraphs, lists and links, and nothing of scripts', () => {
    const { title, text } = htmlToText(`<!doctype html><html><head><title>A &amp; B</title>
      <style>p { color: red }</style></head><body><!-- hidden <b>note</b> -->
      <nav><a href="/x">Menu</a></nav><script>if (1 < 2) steal()</script>
      <h1 id="top">Retry &mdash; how</h1><p>It tries   <b>five</b> times,
      then <a href="https://example.org/stop">stops</a>; see <a href="#top">above</a>.</p>
      <ul><li>one<li>two</ul><table><tr><td>a</td><td>b</td></tr></table>
      <p>&#x1F426; &#8364; &lt;tag&gt; &unknown;</p><footer>Imprint</footer></body></html>`);
    expect(title).toBe('A & B');
    expect(text.split('\n').filter(Boolean)).toEqual([
      '# Retry — how',
      'It tries five times, then stops (https://example.org/stop); see above.',
      '- one',
      '- two',
      'a b',
      '🐦 € <tag> &unknown;',
    ]);
  });

  it('shows a page that leaves out the end of its head', () => {
    const page = '<html><head><title>T</title><style>p {}</style><body class="a"><p>words';
    expect(htmlToText(page)).toEqual({ title: 'T', text: 'words' });
  });

  it.each(['<a href="https://a.b">', '<a ', '<a href=x ', '<head>', '<nav>'])(
    'takes time in proportion to a page of nothing but %s',
    (unit) => {
      const timeOf = (length: number): number => {
        const page = `<a ${unit.repeat(length / unit.length)}`;
        return cpuMs(() => void htmlToText(page));
      };
      timeOf(10_000);
      // Sixteen times the text: 16 where it is linear, 256 where it is quadratic.
      const growth = [1, 2, 3].map(() => timeOf(800_000) / Math.max(1, timeOf(50_000)));
      expect(Math.min(...growth)).toBeLessThan(64);
      expect(timeOf(800_000)).toBeLessThan(2000);
    },
  );

  it('names where each link leads, and none that is not closed', () => {
    const page = '<a href="https://a.b">one <a class="x" href=\'https://c.d\'><b>two</b></a> three';
    expect(htmlToText(page).text).toBe('one two (https://c.d) three');
  });

  it('shows nothing behind a script that is not closed, and takes any text', () => {
    expect(htmlToText('<p>before</p><script>var x = "</p>after"').text).toBe('before');
    expect(htmlToText('no page at all & <').text).toBe('no page at all & <');
    fc.assert(
      fc.property(fc.string(), (html) => {
        expect(htmlToText(html).text).not.toMatch(/<script/i);
      }),
    );
  });
});
