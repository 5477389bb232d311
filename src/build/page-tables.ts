import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { obeyedNames, runNames, secretNames } from '../contracts/name-lists.ts';
import { servedWasi } from '../host/install/component/judge-wasi.ts';

/** The names of a list by the comment that stands above them in its source. */
function bySubject(source: string, list: string): [string, string[]][] {
  const [, text = ''] = new RegExp(`${list}: [^=]*=[^\`]*\`([^\`]*)\``).exec(source) ?? [];
  const [, ...parts] = `\n  # In any project.${text}`.split(/\n {2}# /);
  return parts.map((part) => {
    const [subject = '', ...lines] = part.split('\n');
    return [subject.replace(/\.$/, ''), lines.join(' ').split(/\s+/).filter(Boolean)];
  });
}

/**
 * A table of names of files for docs/names.md, from src/contracts/name-lists.ts.
 *
 * @param which `secrets`, `obeyed` or `run`
 */
export function namesTable(root: string, which: string): string {
  const source = readFileSync(join(root, 'src/contracts/name-lists.ts'), 'utf8');
  const list = which === 'secrets' ? { secretNames } : { obeyedNames };
  const [[name, names] = ['', []]] = Object.entries(list);
  const subjects = bySubject(source, name);
  const rest = names.filter((each) => !subjects.some(([, listed]) => listed.includes(each)));
  const rows: [string, readonly string[]][] =
    which === 'run'
      ? runNames.map(({ by, names: run }) => [by, run])
      : [...subjects, ['Others', rest]];
  const shown = rows
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `| ${what} | ${names.map((name) => `\`${name}\``).join(', ')} |`);
  return [`| ${which === 'run' ? 'run by' : 'what'} | names |`, '|---|---|', ...shown].join('\n');
}

/**
 * The table of parts in ARCHITECTURE.md: each part of tests/arch/budget.json with its limit, and
 * what the page says that it holds.
 *
 * @param old the table as the page has it
 */
export function partsTable(root: string, old: string): string {
  const budget: Record<string, { lines: number }> = JSON.parse(
    readFileSync(join(root, 'tests/arch/budget.json'), 'utf8'),
  );
  const said = new Map(
    [...old.matchAll(/^\| `([^`]+)` \| (.*) \| \d+ \|$/gm)].map(([, part, what]) => [part, what]),
  );
  const rows = Object.entries(budget).map(
    ([part, { lines }]) => `| \`${part}\` | ${said.get(part) ?? ''} | ${lines} |`,
  );
  return ['| part | holds | lines at most |', '|---|---|---|', ...rows].join('\n');
}

/** The table of docs/wasi.md: the interfaces that are served, by package and version. */
export function wasiTable(): string {
  const code = (names: readonly string[] = []): string =>
    names.map((name) => `\`${name}\``).join(', ');
  const rows = Object.entries(servedWasi).map(
    ([name, { needs, both, older, newer }]) =>
      `| \`wasi:${name}\` | ${code(both)} | ${code(older)} | ${code(newer)} | ${code(needs)} |`,
  );
  return [
    '| package | in 0.2 and 0.3 | in 0.2 alone | in 0.3 alone | capabilities |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
