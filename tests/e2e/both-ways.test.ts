import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/contracts/error.ts';
import { openPlace } from '../support/place.ts';
import type { Ran, RunOptions } from '../support/run-cuervo.ts';

const edit = JSON.stringify({
  path: 'src/limits.ts',
  old: '3',
  new: '4',
  expectHash: '0'.repeat(64),
});

type Case = readonly [code: number, args: readonly string[], options: Partial<RunOptions>];

/** Each command once, which `tests/arch/commands.test.ts` wants, and each exit code that has no signal. */
const cases: readonly Case[] = [
  [0, ['--help'], {}],
  [2, ['nosuch'], {}],
  [0, ['ask', 'where is the retry limit set?'], {}],
  [0, ['ask', '-', '--json'], { stdin: 'where is the retry limit set?' }],
  [7, ['ask', '--model', 'claude-test', 'where is the retry limit set?'], {}],
  [0, ['chat'], { stdin: 'where is the retry limit set?\n' }],
  [0, ['plan', 'list the files', '--json'], {}],
  [0, ['run', 'file.read', '-', '--json'], { stdin: '{"path":"src/limits.ts"}' }],
  [1, ['run', 'shell.run', 'command=false'], {}],
  [0, ['script', '-'], { stdin: 'return tools.file.read({ path: "src/limits.ts" }).lines' }],
  [3, ['run', 'file.read', 'path=.env'], {}],
  [4, ['run', 'file.read', 'path=missing.txt'], {}],
  [5, ['run', 'search.grep', 'pattern=retry', '--timeout', '0.001'], {}],
  [8, ['run', 'file.edit', edit, '--allow', 'fs-write:work'], {}],
  [0, ['tools', '--json'], {}],
  [0, ['plugin', 'list'], {}],
  [6, ['plugin', 'inspect', 'bad.wasm'], {}],
  [0, ['memory', 'add', '-', '--source', 'notes'], { stdin: 'the heron nests in the quarry' }],
  [4, ['memory', 'search', 'heron'], {}],
  [4, ['mcp', 'serve', '--tools', 'nosuch'], {}],
  [0, ['index'], {}],
  [4, ['do', 'nosuch'], {}],
  [0, ['skill', 'list'], {}],
  [0, ['init'], {}],
  [0, ['config', 'list'], {}],
  [0, ['session', 'list', '--json'], {}],
  [4, ['undo'], {}],
  [0, ['runs'], {}],
  [0, ['audit', 'verify', '--json'], {}],
  [4, ['explain'], {}],
  [0, ['stats', '--since', '1h'], {}],
  [0, ['map', '--json'], {}],
  [0, ['ui', '--export', 'page'], {}],
  [0, ['acp'], { stdin: '' }],
  [2, ['fleet', 'status'], {}],
  [2, ['worker'], {}],
  [0, ['jobs', 'list'], {}],
  [0, ['scheduler', 'unit'], {}],
  [4, ['apply'], {}],
  [0, ['policy', 'rules'], {}],
  [0, ['secret', 'list'], {}],
  [0, ['model', 'list'], {}],
  [0, ['doctor'], {}],
  [2, ['add', 'nosuch'], {}],
  [2, ['remove', 'nosuch'], {}],
  [0, ['completion', 'bash'], {}],
];

describe('a command in the process of the tests', () => {
  it.each(cases)('does what a process of its own does: %d, %j', async (code, args, options) => {
    const [here, there] = [await runIn(args, options), await runIn(args, options, true)];
    expect(here).toEqual(there);
    expect(here.code).toBe(code);
  });

  it('is compared for every exit code', () => {
    const codes = new Set(cases.map(([code]) => code));
    const known = [0, ...Object.values(exitCodes)].filter((code) => code !== exitCodes.canceled);
    expect(known.filter((code) => !codes.has(code))).toEqual([]);
  });
});

async function runIn(
  args: readonly string[],
  options: Partial<RunOptions>,
  ownProcess = false,
): Promise<Pick<Ran, 'code' | 'stdout' | 'stderr'>> {
  using place = openPlace({
    'src/limits.ts': 'export const retryLimit = 3;\n',
    '.env': 'TOKEN=x\n',
    'bad.wasm': 'no component',
  });
  const ran = await place.cuervo(args, { ...options, ownProcess });
  const { code } = ran;
  const shown = { stdout: fixed(ran.stdout, place.dir), stderr: fixed(ran.stderr, place.dir) };
  if (args[0] !== 'ask') return { code, ...shown };
  return { code, stdout: inOrder(shown.stdout), stderr: inOrder(shown.stderr) };
}

/**
 * Without what differs from run to run: folders, ids, times, how long something took, and which of
 * the steps of a question that run at once ends first.
 */
function fixed(text: string, dir: string): string {
  return (
    text
      .replaceAll(dir, 'DIR')
      // A line of progress, where the machine is busy.
      .replace(/^.* \(\d+ s\)\n/gm, '')
      .replace(/"run":"[0-9a-z]+"/g, '"run":"ID"')
      .replace(/"(ts|\w*Ms)":\d+/g, '"$1":0')
      // A loaded machine turns "400 ms" into "1.2 s".
      .replace(/\d+(\.\d+)? (ms|s)\b/g, '0 ms')
      .replace(/\d+(\.\d+)? (min|h|MiB|GiB)\b/g, '0 $2')
  );
}

function inOrder(text: string): string {
  return text.split('\n').sort().join('\n');
}
