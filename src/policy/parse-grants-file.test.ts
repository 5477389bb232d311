import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelError } from '../contracts/error.ts';
import { grantsOf } from './decide.ts';
import { parseGrant } from './parse-grant.ts';
import { formatGrantsFile, type GrantEntry, parseGrantsFile } from './parse-grants-file.ts';

const digest = 'a'.repeat(64);
const entry = `[[grant]]
plugin = "wordcount"
digest = "${digest}"
capabilities = ["fs:work", "kv"]
granted = 2026-11-21T12:00:00Z
`;
const noon = Date.UTC(2026, 10, 21, 12);

function refusal(text: string): string | undefined {
  try {
    parseGrantsFile(text);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof KernelError)) throw thrown;
    expect(thrown.code).toBe('invalid-argument');
    expect(thrown.message).toMatch(/^grants\.toml:? [^\p{Cc}\u202a-\u202e\u2066-\u2069]{5,600}$/u);
    return thrown.message;
  }
}

describe('parseGrantsFile()', () => {
  it('reads entries, with and without an end', () => {
    const text = `# mine\n${entry}\n${entry}expires = 2026-11-22T13:00:00+01:00\n`;
    const first: GrantEntry = {
      plugin: 'wordcount',
      digest,
      capabilities: [parseGrant('fs:work'), parseGrant('kv')],
      grantedMs: noon,
    };
    expect(parseGrantsFile(text)).toEqual([first, { ...first, expiresMs: noon + 86_400_000 }]);
  });

  it('reads a file without entries', () => {
    expect(parseGrantsFile('')).toEqual([]);
    expect(parseGrantsFile('# nothing granted\n')).toEqual([]);
    expect(parseGrantsFile(formatGrantsFile([]))).toEqual([]);
  });

  const changed = (from: string | RegExp, to: string) => `${entry}\n${entry.replace(from, to)}`;
  it.each([
    ['broken TOML', `${entry}\nplugin = \n`, 'grants.toml line 7 is not TOML'],
    ['a string that does not end', `${entry}digest = "`, 'grants.toml line 6 is not TOML'],
    [
      'a grant that is none',
      changed('"kv"', '"everything"'),
      'line 7: grant[1].capabilities[1] is wrong: "everything" is not a grant',
    ],
    ['network', changed('"kv"', '"network"'), 'network cannot be granted'],
    ['a number as a grant', changed('"kv"', '7'), 'grant[1].capabilities[1] is not a string'],
    [
      'one string for the list',
      changed(/capabilities.*/, 'capabilities = "kv"'),
      'grant[1].capabilities is not a list',
    ],
    ['no list', changed(/capabilities.*\n/, ''), 'line 7: grant[1].capabilities is missing'],
    ['a short digest', changed(digest, 'abc'), 'grant[1].digest is not a SHA-256'],
    ['a digest in capitals', changed(digest, 'A'.repeat(64)), 'grant[1].digest is not a SHA-256'],
    ['no digest', changed(/digest.*\n/, ''), 'grant[1].digest is missing'],
    ['any plugin', changed('wordcount', '*'), 'grant[1].plugin is not a name of a plugin'],
    ['no time of granting', changed(/granted.*\n/, ''), 'grant[1].granted is missing'],
    [
      'a time as a string',
      changed(/granted.*/, 'granted = "today"'),
      'grant[1].granted is not a time',
    ],
    ['a time without a zone', changed('Z', ''), 'grant[1].granted is not a time with a zone'],
    ['a date', changed('T12:00:00Z', ''), 'grant[1].granted is not a time with a zone'],
    [
      'a misspelt end',
      `${entry}expire = 2026-11-22T00:00:00Z`,
      'line 1: grant[0].expire is not a field of a grant',
    ],
    ['another table', '[grants]\nplugin = "x"\n', 'grants.toml: grants is not a field'],
    [
      'one table in place of a list',
      entry.replace('[[grant]]', '[grant]'),
      'grant is not a list of [[grant]]',
    ],
    ['a field that a terminal would execute', `${entry}"\\u001b[2J" = 1`, 'is not a field'],
    ['a megabyte and more', '#'.repeat(1024 * 1024 + 1), 'limit 1048576'],
  ])('refuses %s', (_name, text, sentence) => {
    expect(refusal(text)).toContain(sentence);
  });

  it('throws invalid-argument and nothing else, and never reads less than stands there', () => {
    fc.assert(
      fc.property(
        fc.nat(entry.length - 1),
        fc.string({ unit: 'binary', maxLength: 3 }),
        (at, text) => {
          const file = entry + entry.slice(0, at) + text + entry.slice(at + 1);
          if (refusal(file) === undefined) expect(parseGrantsFile(file).length).toBeGreaterThan(0);
        },
      ),
      { seed: 20_261_121, numRuns: 2_000 },
    );
  });
});

describe('formatGrantsFile()', () => {
  it('writes what parseGrantsFile() reads', () => {
    const grant = fc
      .constantFrom(
        'fs:work',
        'fs-write:work',
        'exec:git',
        'http:https://example.org',
        'kv',
        'clock',
      )
      .map(parseGrant);
    const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
    const entries = fc.array(
      fc.record(
        {
          plugin: fc.stringMatching(/^[a-z][a-z0-9]{0,9}(-[a-z0-9]{1,5}){0,2}$/),
          digest: fc.stringMatching(/^[0-9a-f]{64}$/),
          capabilities: fc.array(grant, { maxLength: 4 }),
          grantedMs: time,
          expiresMs: time,
        },
        { requiredKeys: ['plugin', 'digest', 'capabilities', 'grantedMs'] },
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(entries, (list) => {
        expect(parseGrantsFile(formatGrantsFile(list))).toEqual(list);
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
  });
});

describe('grantsOf()', () => {
  const entries = parseGrantsFile(
    `${entry}\n${entry.replace(/\["fs.*\]/, '["clock"]')}expires = 2026-11-21T13:00:00Z\n`,
  );
  const hour = 3_600_000;

  it('gives the grants of one digest until they expire', () => {
    const holder = { plugin: 'wordcount', digest };
    const names = (nowMs: number) =>
      grantsOf(entries, holder, nowMs).map(({ capability }) => capability);
    expect(names(noon)).toEqual(['fs', 'kv', 'clock']);
    expect(names(noon + hour - 1)).toEqual(['fs', 'kv', 'clock']);
    expect(names(noon + hour)).toEqual(['fs', 'kv']);
  });

  it('gives nothing to another digest or another name', () => {
    expect(grantsOf(entries, { plugin: 'wordcount', digest: 'b'.repeat(64) }, noon)).toEqual([]);
    expect(grantsOf(entries, { plugin: 'word', digest }, noon)).toEqual([]);
  });
});
