import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../cli/program.ts';
import { jsonTable } from './output-schemas.ts';
import { namesTable, partsTable, wasiTable } from './page-tables.ts';

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
