import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defences } from './defences.ts';
import { escapeCase } from './support/escape-case.ts';
import { guestsFolder, root } from './support/paths.ts';
import { readCases } from './support/read-cases.ts';

type Suite = { guests: readonly string[]; tests: ReadonlyMap<string, string> };

/** What is missing from the suite: a guest without its test, a case without one of its halves. */
function findGaps({ guests, tests }: Suite): string[] {
  const gaps = guests.flatMap((guest) => {
    const test = tests.get(`${guest}.test.ts`);
    if (test === undefined) return [`guest ${guest} has no test ${guest}.test.ts`];
    return test.includes(`'${guest}`) || test.includes(`guests/${guest}/`)
      ? []
      : [`${guest}.test.ts does not use the guest ${guest}`];
  });
  for (const [file, text] of tests) {
    const cases = text.split(/^escapeCase\(/m).slice(1);
    if (cases.length === 0) gaps.push(`${file} has no case`);
    for (const body of cases) {
      const name = /^\s*'([^']+)'/.exec(body)?.[1];
      if (!/^ {2}denied:/m.test(body)) gaps.push(`${file}: "${name}" has no denial`);
      if (!/^ {2}control:/m.test(body)) gaps.push(`${file}: "${name}" has no control`);
    }
    if (/^\s*(?:it|test)(?:\.\w+)*\(/m.test(text))
      gaps.push(`${file} has a test outside of a case`);
    if (/\.(?:skip|only|todo)\(/.test(text)) gaps.push(`${file} leaves a test out`);
  }
  return gaps;
}

function readSuite(): Suite {
  const files = readdirSync(import.meta.dirname).filter(
    (name) => name.endsWith('.test.ts') && name !== 'meta.test.ts',
  );
  return {
    guests: readdirSync(guestsFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
    tests: new Map(
      files.map((name) => [name, readFileSync(join(import.meta.dirname, name), 'utf8')]),
    ),
  };
}

describe('the escape suite', () => {
  it('has a test with both halves for every guest', () => {
    const suite = readSuite();
    expect(findGaps(suite)).toEqual([]);
    expect(suite.guests.length).toBeGreaterThanOrEqual(20);
  });

  it('has at least 130 named cases, each name once', () => {
    const names = [...readSuite().tests.values()].flatMap((text) =>
      [...text.matchAll(/^escapeCase\(\s*'([^']+)'/gm)].map(([, name]) => name),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(130);
  });

  it('is found wanting when a guest or a half is missing', () => {
    const whole =
      "import './guests/door/';\nescapeCase('door', {\n  denied: [],\n  control: [],\n});\n";
    const gapsOf = (guests: string[], text: string) =>
      findGaps({ guests, tests: new Map([['door.test.ts', text]]) });
    expect(gapsOf(['door'], whole)).toEqual([]);
    expect(gapsOf(['door', 'window'], whole)).toEqual(['guest window has no test window.test.ts']);
    expect(gapsOf(['door'], whole.replace('  control: [],\n', ''))).toEqual([
      'door.test.ts: "door" has no control',
    ]);
    expect(gapsOf(['door'], whole.replace('  denied: [],\n', ''))).toEqual([
      'door.test.ts: "door" has no denial',
    ]);
    expect(gapsOf(['door'], `${whole}it('alone', () => {});`)).toEqual([
      'door.test.ts has a test outside of a case',
    ]);
  });
});

describe('escapeCase', () => {
  it('takes no case without both halves', () => {
    const half = ['does something', () => {}] as const;
    expect(() => escapeCase('one', { denied: half } as never)).toThrow();
    expect(() => escapeCase('other', { denied: [], control: half } as never)).toThrow();
  });
});

describe('the defences', () => {
  it('stand in their sources exactly once, and nothing is taken away twice', () => {
    const lost = defences.flatMap(({ name, edits }) =>
      edits
        .filter(({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length !== 2)
        .map(({ file, from }) => `${name}: ${file} holds it not once: ${from}`),
    );
    expect(lost).toEqual([]);
    const names = defences.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('name a case that there is, and one of its denials', () => {
    const cases = readCases();
    const unknown = defences.filter(({ file, case: name, denial }) => {
      const found = cases.find((one) => one.file === `${file}.test.ts` && one.name === name);
      if (found === undefined) return true;
      // Titles that a loop makes are known when the tests run.
      return found.denials.length > 0 && !found.denials.some((title) => title.startsWith(denial));
    });
    expect(unknown.map(({ name }) => name)).toEqual([]);
  });
});
