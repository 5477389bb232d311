import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../cli/program.ts';
import { jsonTable } from './output-schemas.ts';

const block = /(<!-- help: (cuervo[a-z ]*) -->\n)[\s\S]*?(<!-- end of help -->)/g;

const table = /(<!-- json: commands -->\n)[\s\S]*?(<!-- end of json -->)/;

/**
 * The pages of docs/ with the command line's own help between their marks
 * `<!-- help: cuervo ask -->` and `<!-- end of help -->`, and the table of JSON output.
 *
 * @param root folder of package.json
 * @returns path relative to the root -> text
 */
export function documentsWithHelp(root: string): [string, string][] {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return pages.map((name) => {
    const path = `docs/${name}`;
    const text = readFileSync(join(root, path), 'utf8');
    const fresh = text.replace(block, (_, start: string, command: string, end: string) => {
      return `${start}\`\`\`text\n${helpOf(command)}\n\`\`\`\n${end}`;
    });
    return [
      path,
      fresh.replace(table, (_, start: string, end: string) => `${start}${jsonTable()}\n${end}`),
    ];
  });
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
