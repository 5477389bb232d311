import { describe, expect, it } from 'vitest';
import { isReport, readReport } from './read-report.ts';

const issue = `Lanterns go out when \`relight\` is called twice
<!-- Please search for similar reports of fishermen first. -->

### What happened?

A \`HarbourLamp\` that burns is dark after the second call, see
https://example.org/harbour/lamps/blob/main/src/lamps/wick.py#L12 and
https://example.org/forum/fishing.py

- [x] I have read the rules about anchors

\`\`\`python
from harbour.lamps import HarbourLamp
HarbourLamp().relight().relight()
\`\`\`

\`\`\`
Traceback (most recent call last):
  File "/home/me/test.py", line 2, in <module>
    HarbourLamp().relight().relight()
  File "/usr/lib/python3/site-packages/harbour/lamps/flame.py", line 40, in relight
    self.trim_wick()
HarbourError: the wick is gone
\`\`\`

### Environment

Operating system: Trawler 4
`;

describe('isReport()', () => {
  it('takes texts of several lines and long ones, and no question', () => {
    expect(isReport(issue)).toBe(true);
    expect(isReport('word '.repeat(120))).toBe(true);
    expect(isReport('where is the wick trimmed?')).toBe(false);
    expect(isReport('word '.repeat(60))).toBe(false);
    expect(isReport('one line\nand another')).toBe(false);
  });
});

describe('readReport()', () => {
  const { text, names, places } = readReport(issue);

  it('begins with the title and leaves out forms, addresses and machines', () => {
    expect(text).toMatch(/^Lanterns go out when/);
    for (const word of ['wick is gone', 'dark', 'burns']) expect(text).toContain(word);
    for (const word of ['fishermen', 'anchors', 'Trawler', 'forum', 'Operating'])
      expect(text).not.toContain(word);
  });

  it('takes names from prose, calls and tracebacks, each once', () => {
    expect(names.slice(0, 2)).toEqual(['relight', 'HarbourLamp']);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain('import');
  });

  it('takes the last place of a traceback first, and files that addresses name', () => {
    expect(places[0]).toBe('harbour/lamps/flame.py');
    expect(places).toContain('src/lamps/wick.py');
    expect(places).toContain('harbour/lamps');
    expect(places.join(' ')).not.toContain('fishing');
  });

  it('reads the calls of other languages', () => {
    const { names: found, places: seen } = readReport(
      `It stops\n\n\`\`\`\nError: no oil\n    at Lamp.burn (/app/node_modules/harbour/src/lamp.ts:3:9)\n    at light (/app/run.ts:1:1)\n\`\`\`\n`,
    );
    expect(found).toContain('burn');
    expect(seen).toEqual(['harbour/src/lamp.ts', 'app/run.ts']);
  });

  it.each([
    ["a/lamp.rb:3:in `burn_oil'\nb/run.rb:4:in `light_all'", 'a/lamp.rb'],
    ['#0 /app/vendor/ann/kit/a/lamp.php(3): Lamp->burn_oil()\n#1 b/run.php(4): f()', 'a/lamp.php'],
    ['  at Kit.Lamp.burn_oil(Oil oil) in /_/a/lamp.cs:line 3\n  at Kit.Run.All()', '_/a/lamp.cs'],
    ['    (kit 1.0.0) a/lamp.ex:3: Kit.Lamp.burn_oil/2\n    b/run.ex:4: Run.all/0', 'a/lamp.ex'],
    ['  0: kit::lamp::burn_oil\n        at ./a/lamp.rs:3:5\n  1: kit::all', 'a/lamp.rs'],
    ['\tat org.kit.Lamp.burn_oil(Lamp.java:3)\n\tat org.kit.Run.all(Run.java:4)', 'Lamp.java'],
    ['goroutine 1 [running]:\nkit.(*Lamp).burn_oil(0x1)\n\t/go/a/lamp.go:3 +0x1', 'go/a/lamp.go'],
  ])('reads who called what in %j', (trace, place) => {
    const { names: found, places: seen, lines, text } = readReport(`It stops\n${trace}\n`);
    expect(found).toContain('burn_oil');
    expect(seen[0]).toBe(place);
    expect(lines.get(place)).toBe(3);
    // Words of a trace are none of what is told.
    expect(text.split('\n').at(-1)).not.toMatch(/lamp|kit/i);
  });

  it('ends for any text', () => {
    for (const odd of [
      '',
      '```',
      '<!--',
      '\n\n',
      `${'a.'.repeat(4000)}`,
      `${'/a'.repeat(4000)}`,
      `${'```\n'.repeat(900)}`,
    ]) {
      expect(readReport(odd).names.length).toBeLessThanOrEqual(24);
    }
  });
});
