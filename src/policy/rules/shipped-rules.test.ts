import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords } from '../../lib/text/words.ts';
import type { Command } from './command-rule.ts';
import { judgeCommand } from './judge-command.ts';
import { loadRules, readShippedRules } from './load-rules.ts';

const tables = readShippedRules(join(import.meta.dirname, 'shipped'));
const rules = loadRules(tables);
const readers = rules.filter(({ decision }) => decision === 'allow');
const isReader = new Set(readers.map(({ name }) => name));

const fixtures = join(import.meta.dirname, '../../../tests/fixtures/commands.jsonl');
const examples = readFileSync(fixtures, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): { command: string; rule: string } => JSON.parse(line))
  .filter(({ command, rule }) => isReader.has(rule) && !/[|&;<>(){}*?$#\\\n]/.test(command))
  .map(({ command }) => splitWords(command));

function decide([program = '', ...args]: readonly string[]): string {
  return judgeCommand({ program, args, cwd: '' } satisfies Command, rules).decision;
}

const outside = fc.constantFrom(
  ...['/etc/passwd', '../x', 'a/../../x', '~/x', '~root', 'file:///etc/passwd', '/', '..'],
  ...['https://example.com/x', '.env', 'src/.env.local', 'id_rsa', 'a.pem', '.git/config', '.e*'],
);

/** Their operand is a text or a name to look for, and not a path. */
const takeText = new Set([
  'which',
  'tr',
  'fd',
  'rg',
  'grep',
  'egrep',
  'fgrep',
  'cut',
  'jq',
  'sed',
  'ls',
]);

describe('the shipped rules', () => {
  it('allow their own examples, which are there', () => {
    expect(examples.length).toBeGreaterThan(100);
    for (const example of examples) expect(decide(example), example.join(' ')).toBe('allow');
  });

  it('never allow a path outside or a protected one behind what they allow', () => {
    const plain = examples.filter(([program = '']) => !takeText.has(program));
    fc.assert(
      fc.property(fc.constantFrom(...plain), outside, fc.boolean(), (example, path, dashes) => {
        const vector = [...example, ...(dashes ? ['--'] : []), path];
        expect(decide(vector), vector.join(' ')).not.toBe('allow');
      }),
      { seed: 20261122, numRuns: 3000 },
    );
  });

  it('never allow a path outside as a second operand of what searches', () => {
    fc.assert(
      fc.property(fc.constantFrom('rg', 'grep', 'fd', 'git grep'), outside, (program, path) => {
        const vector = [...program.split(' '), 'x', path];
        expect(decide(vector), vector.join(' ')).not.toBe('allow');
      }),
      { seed: 20261122 },
    );
  });

  it('never allow an abbreviated option', () => {
    const long = readers.flatMap((rule) =>
      rule.shape.form === 'options' && rule.shape.style === 'gnu'
        ? [...rule.shape.options.keys()]
            .filter((name) => name.startsWith('--'))
            .map((name) => ({ rule, name }))
        : [],
    );
    expect(long.length).toBeGreaterThan(300);
    for (const { rule, name } of long) {
      const { shape } = rule;
      if (shape.form !== 'options') continue;
      const [program = ''] = rule.programs;
      for (const cut of [name.slice(0, -1), name.slice(0, 5)]) {
        if (shape.options.has(cut) || cut === '--') continue;
        for (const arg of [cut, `${cut}=x`]) {
          const vector = [program, ...shape.subcommand, arg];
          const isOther = readers.some(
            (other) =>
              other.programs.has(program) &&
              other.shape.form === 'options' &&
              other.shape.options.has(cut),
          );
          if (!isOther) expect(decide(vector), vector.join(' ')).not.toBe('allow');
        }
      }
    }
  });

  it('never allow a program at a path of its own', () => {
    for (const [program = '', ...args] of examples) {
      const name = program.slice(program.lastIndexOf('/') + 1);
      for (const folder of ['.', '..', '/tmp', 'bin', '/usr/local/bin/x', '/usr/bin/..']) {
        expect(decide([`${folder}/${name}`, ...args])).not.toBe('allow');
      }
    }
  });

  it('end with a judgement, whatever the vector', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('--', '-', '-x', '--output', '=', '@x', ':', '*', '[', '{', '\0'),
    );
    const program = fc.oneof(
      fc.constantFrom(...readers.flatMap((rule) => [...rule.programs])),
      fc.string(),
    );
    fc.assert(
      fc.property(program, fc.array(word, { maxLength: 6 }), fc.string(), (name, args, cwd) => {
        const { decision } = judgeCommand({ program: name, args, cwd }, rules);
        expect(['allow', 'ask', 'deny']).toContain(decision);
        if (args.some((arg) => arg.includes('\0'))) expect(decision).not.toBe('allow');
      }),
      { seed: 20261122, numRuns: 2000 },
    );
  });
});
