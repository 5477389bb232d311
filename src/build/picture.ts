import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { terminalLines, terminalPicture } from './terminal-picture.ts';

/**
 * `node src/build/picture.ts` runs the commands below at a terminal of its own and draws what
 * they print as docs/picture.svg, the picture of the README. Needs `script` of util-linux.
 */
const root = resolve(import.meta.dirname, '../..');
const columns = 80;

/** The commands that run, and how many lines of each are drawn. */
const shown = [
  ['cuervo ask "where is a plan checked for cycles?"', 11],
  ['cuervo plugin inspect examples/plugins/wordcount/dist/wordcount.wasm', 16],
  [`cuervo run wordcount.count-file '{"path":"README.md"}'`, 4],
] as const;

/** Run before the picture is drawn, and not shown in it. */
const before = [
  'cuervo plugin build examples/plugins/wordcount',
  'cuervo plugin install examples/plugins/wordcount/dist/wordcount.wasm --yes',
];

const home = mkdtempSync(join(tmpdir(), 'cuervo-picture-'));
try {
  for (const command of before) atTerminal(command);
  const lines = shown.flatMap(([command, most]) => {
    const printed = terminalLines(atTerminal(command), columns);
    const rest = printed.length > most ? [[{ text: '…', weight: 'dim' as const }]] : [];
    return [
      [{ text: `$ ${command}`, weight: 'command' as const }],
      ...printed.slice(0, most),
      ...rest,
      [],
    ];
  });
  writeFileSync(join(root, 'docs/picture.svg'), terminalPicture(lines.slice(0, -1), columns));
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** @returns what the command writes to its terminal, escapes and all, whatever its exit code */
function atTerminal(command: string): string {
  const path = `${join(root, 'node_modules/.bin')}:${dirname(process.execPath)}:${process.env.PATH}`;
  const line = `stty cols ${columns}; ${command} </dev/null`;
  return execFileSync('script', ['--quiet', '--command', line, '/dev/null'], {
    cwd: root,
    env: { PATH: path, CUERVO_HOME: home, TERM: 'xterm', LANG: 'C.UTF-8' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
