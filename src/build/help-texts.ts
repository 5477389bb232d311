import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../cli/program.ts';
import { obeyedNames, runNames, secretNames } from '../contracts/name-lists.ts';
import { servedWasi } from '../host/install/component/judge-wasi.ts';
import { jsonTable } from './output-schemas.ts';

const block = /(<!-- (help|json|names|parts|wasi): ([\w ]+) -->\n)([\s\S]*?)(<!-- end of \2 -->)/g;

/**
 * The pages of docs/, and ARCHITECTURE.md, with what stands between their marks made anew: the
 * command line's own help (`<!-- help: cuervo ask -->` to `<!-- end of help -->`), the table of JSON
 * output, the names of files that are withheld or run, the interfaces of WASI, and the parts with their limits.
 *
 * @param root folder of package.json
 * @returns path relative to the root -> text
 */
export function documentsWithHelp(root: string): [string, string][] {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['ARCHITECTURE.md', ...pages.map((name) => `docs/${name}`)].map((path) => [
    path,
    readFileSync(join(root, path), 'utf8').replace(
      block,
      (_, start: string, kind: string, name: string, old: string, end: string) =>
        `${start}${generated(root, kind, name, old)}\n${end}`,
    ),
  ]);
}

function generated(root: string, kind: string, name: string, old: string): string {
  if (kind === 'help') return `\`\`\`text\n${helpOf(name)}\n\`\`\``;
  if (kind === 'wasi') return wasiTable();
  if (kind === 'names') return namesTable(root, name);
  return kind === 'parts' ? partsTable(root, old) : jsonTable();
}

/** Commands that print a help of their own: `cuervo`, `cuervo ask`, `cuervo plugin build`, … */
export function commandPaths(command: Command = createProgram(), above = ''): string[] {
  const path = `${above} ${command.name()}`.trim();
  return [path, ...command.commands.flatMap((child) => commandPaths(child, path))];
}

function helpOf(path: string): string {
  const [, ...names] = path.split(' ');
  let command: Command | undefined = createProgram();
  for (const name of names) command = command?.commands.find((child) => child.name() === name);
  if (command === undefined)
    throw new Error(`a document shows the help of "${path}", which is not a command`);
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 80,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text.trim();
}

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
function namesTable(root: string, which: string): string {
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
function partsTable(root: string, old: string): string {
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
function wasiTable(): string {
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
