import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
