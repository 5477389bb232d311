import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuleFile } from './parse-rules.ts';

/** In the order in which rules are looked at; a missing file is an error, as it may hold denials. */
const names = ['denials', 'readers', 'git', 'questions'];

/** @param folder the tables that come with the program, `src/policy/rules/shipped` */
export function readShippedRules(folder: string): RuleFile[] {
  return names.map((name) => ({
    name: `${name}.toml`,
    text: readFileSync(join(folder, `${name}.toml`), 'utf8'),
  }));
}
