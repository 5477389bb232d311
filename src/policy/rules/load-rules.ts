import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { quoteText } from '../../lib/text/escape.ts';
import { splitWords } from '../../lib/text/words.ts';
import type { CommandRule } from './command-rule.ts';
import { matchRule } from './match-rule.ts';
import { parseRules, type RuleFile, type RuleWithExamples } from './parse-rules.ts';

/**
 * The shipped rules and the user's, which are checked against their own examples.
 *
 * @param shipped of `readShippedRules`
 * @param userToml text of `CUERVO_HOME/rules.toml`; undefined without one
 * @throws {KernelError} `invalid-argument` with the rule and the example that it fails
 */
export function loadRules(shipped: readonly RuleFile[], userToml?: string): CommandRule[] {
  const own =
    userToml === undefined ? [] : parseRules({ name: 'rules.toml', text: userToml }, 'user');
  for (const each of own) checkExamples(each, 'rules.toml');
  return [...own, ...shipped.flatMap((file) => parseRules(file, 'shipped'))].map(
    ({ rule }) => rule,
  );
}

function checkExamples({ rule, match, notMatch }: RuleWithExamples, fileName: string): void {
  const check = (example: string, expected: boolean): void => {
    const [program, ...args] = splitWords(example);
    const where = `${fileName}: rule ${rule.name}`;
    if (program === undefined) {
      throw invalid(`${where}: the example ${quoteText(example)} cannot be split into words`);
    }
    const found = matchRule(rule, { program, args, cwd: '' }, {});
    if (found.matches === expected) return;
    const what = expected ? 'does not match' : 'matches';
    const why = found.matches ? '' : `: ${found.misfit}`;
    throw invalid(`${where} ${what} its example ${quoteText(example)}${why}`);
  };
  for (const example of match) check(example, true);
  for (const example of notMatch) check(example, false);
}

function invalid(message: string): KernelError {
  return new KernelError('invalid-argument', message, {
    hint: 'Fix the rule or its example; until then no program runs.',
  });
}

/** In the order in which rules are looked at; a missing file is an error, as it may hold denials. */
const names = ['denials', 'readers', 'git', 'questions'];

/** @param folder the tables that come with the program, `src/policy/rules/shipped` */
export function readShippedRules(folder: string): RuleFile[] {
  return names.map((name) => ({
    name: `${name}.toml`,
    text: readFileSync(join(folder, `${name}.toml`), 'utf8'),
  }));
}
