import { expect } from 'vitest';
import {
  type MessagesBody,
  type Script,
  startAnthropicServer,
} from '../fixtures/anthropic-server/server.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';

/** Programs that the rules let run, and files that tools may read, show a key to a remote model. */
const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };
const apiKey = 'test-key-of-the-local-server';
// Put together here, so that this file holds none.
const key = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
const plain = 'zebra1quilt2Violin3anchor4Meadow5copper6';
/** As in a file from behind, which holds no key of a known format as it stands. */
const backwards = (text: string): string => text.split('').reverse().join('');
const other = ['ghp', 'Zx81QkQ7vbnq52LmWpTrab9CdEfGhIjKlMnO'].join('_');

const place = usePlace({
  fill: ({ work }) => {
    put(work, 'deploy/notes.txt', `the token\nof the bot: ${key}\nis here\n`);
    put(work, 'deploy/key', `${key}\n`);
    put(
      work,
      'deploy/unread',
      `${['ghp', 'Lm4Qz7Rt1Vw8Xy2Bn5Cd9Fg3Hj6Kp0Ls4Nq7Pr1T'].join('_').slice(0, 40)}\n`,
    );
    put(work, 'plain', `${plain}\n`);
    put(work, 'turned', `${backwards(other)}\n`);
    put(work, 'AGENTS.md', `Use ${key} for the bot.\n`);
  },
});

type Call = readonly [tool: string, input: Record<string, string>];
const run = (command: string): Call => ['shell__run', { command }];
const read = (path: string): Call => ['file__read', { path }];

/** The results that a model is sent that makes these calls, one a round. */
async function sentAfter(calls: readonly Call[]): Promise<string[]> {
  const last = (await requestsOf(calls)).at(-1) as MessagesBody;
  return last.messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((block) => (block.type === 'tool_result' ? [block.content ?? ''] : [])),
  );
}

async function requestsOf(
  calls: readonly Call[],
  { args = [], stdin }: { args?: readonly string[]; stdin?: string } = {},
): Promise<readonly MessagesBody[]> {
  const script: Script = (_, { number }) => {
    const call = calls[number - 1];
    if (call === undefined) return { type: 'message', text: 'Done.' };
    return { type: 'message', toolUses: [{ name: call[0], input: call[1] }] };
  };
  await using server = await startAnthropicServer(script, { apiKey });
  const question = 'run a command with the shell, then file read';
  const ran = await place.cuervo(
    [
      ...['ask', '--model', 'claude-test', '--json', '--workspace', place.work, question, ...args],
      ...(stdin === undefined ? [] : ['-']),
    ],
    {
      env: { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url },
      ...(stdin === undefined ? {} : { stdin }),
    },
  );
  expect(server.requests.length, ran.stderr).toBe(calls.length + 1);
  return [...server.requests];
}

const ways = [
  ...['cat', 'rev', 'base64', 'base32', 'xxd', 'xxd -p', 'xxd -b', 'xxd -c 4', 'od -c', 'od -x'],
  ...['od -An -tx1 -w4', 'od', 'od -tu1 -w4', 'hexdump -C', 'cat -A', 'fold -w 4', 'fold -w 1'],
  ...['base64 -w 8', 'nl', 'cut -c 1-20', 'cut -c 21-', 'head -c 20', 'tail -c 20'],
];
const through = ['tr a-z n-za-m', 'tr a-zA-Z b-zaB-ZA', 'tr a-z A-Z', 'fold -w 4 | cat -n'];
const commands = (name: string): string[] => [
  ...ways.map((way) => `${way} ${name}`),
  ...through.map((way) => `cat ${name} | ${way}`),
  `rev ${name} | base64 | fold -w 7`,
];
/** Letters and digits of what a program shows of a line. */
const hidden = /\[redacted: github-token\]/;

escapeCase('program that shows a key in disguise', {
  needs,
  denied: [
    [
      'whatever the program, no round shows it',
      async () => {
        const asked = commands('deploy/key');
        const results = await sentAfter(asked.slice(0, 20).map(run));
        results.push(...(await sentAfter(asked.slice(20).map(run))));
        for (const [at, result] of results.entries()) expect(result, asked[at]).toMatch(hidden);
        const shown = results.join('\n').replaceAll(/[^a-z0-9]/gi, '');
        for (const form of [key, backwards(key), key.toUpperCase()])
          expect(shown).not.toContain(form.replaceAll('_', '').slice(8, 20));
        expect(shown).not.toContain(Buffer.from(key).toString('base64').slice(8, 24));
        expect(shown).not.toContain(Buffer.from(key).toString('hex').slice(8, 24));
      },
    ],
    [
      'nor when a tool read the same file before, and the program starts in its middle',
      async () => {
        const [first, second, third] = await sentAfter([
          read('deploy/notes.txt'),
          run('tail -c +40 deploy/notes.txt'),
          run('cut -c 8-19 deploy/key'),
        ]);
        expect(first).toContain('of the bot: [redacted: github-token]');
        expect(second).toMatch(hidden);
        expect(second).not.toContain(key.slice(-10));
        expect(third).toMatch(hidden);
      },
    ],
    [
      'nor a part of one whose file nobody read as a whole',
      async () => {
        const [part] = await sentAfter([run('cut -c 8-27 deploy/unread')]);
        expect(part).toMatch(hidden);
      },
    ],
    [
      'nor in results that show a few letters each',
      async () => {
        const slices = [1, 9, 17, 25, 33].map((at) => run(`cut -c ${at}-${at + 7} deploy/key`));
        const results = await sentAfter(slices);
        for (const result of results.slice(2)) expect(result).toMatch(hidden);
        const fours = Array.from({ length: 10 }, (_, at) => 4 * ((at * 7) % 10) + 1);
        const short = await sentAfter(fours.map((at) => run(`cut -c ${at}-${at + 3} deploy/key`)));
        expect(short.filter((result) => hidden.test(result)).length).toBeGreaterThan(3);
      },
    ],
    [
      'nor is a key that no file holds put together from two results',
      async () => {
        const results = await sentAfter([
          run('rev turned | cut -c 1-20'),
          run('ls deploy'),
          run('rev turned | cut -c 21-'),
        ]);
        expect(results[2]).toMatch(hidden);
        expect(results.join('\n')).not.toContain(other.slice(-12));
        // What was shown before it was known is not shown again.
        expect(results[0]).toMatch(hidden);
      },
    ],
  ],
  control: [
    'words of the same length arrive in every form',
    async () => {
      const asked = commands('plain');
      const results = await sentAfter(asked.slice(0, 20).map(run));
      results.push(...(await sentAfter(asked.slice(20).map(run))));
      expect(results.join('\n')).not.toMatch(hidden);
      expect(results[0]).toContain(plain);
      expect(results[2]).toContain(Buffer.from(`${plain}\n`).toString('base64'));
    },
  ],
});

/** Whole requests, with words of the project, of earlier turns and of standard input. */
const others = async (text: string): Promise<string[]> => {
  const given = await requestsOf([], { stdin: `what of ${backwards(text)} is known?\n` });
  const called = await requestsOf([run(`echo ${Buffer.from(text).toString('base64')}`)]);
  const file = text === key ? 'deploy/key' : 'plain';
  await requestsOf([run(`rev ${file}`)]);
  const later = await requestsOf([], { args: ['-c'] });
  return [given, called, later].map((requests) => JSON.stringify(requests));
};

escapeCase('key on another way to a remote model', {
  needs,
  denied: [
    'instructions, standard input, calls and earlier turns hold none',
    async () => {
      for (const [at, sent] of (await others(key)).entries()) {
        expect(sent, `${at}`).toMatch(hidden);
        for (const form of [key, backwards(key), Buffer.from(key).toString('base64')])
          expect(sent, `${at}`).not.toContain(form.slice(10, 22));
      }
    },
  ],
  control: [
    'words of the same length arrive',
    async () => {
      const [given, called, later] = await others(plain);
      for (const sent of [given, later]) expect(sent).toContain(backwards(plain));
      expect(called).toContain(Buffer.from(plain).toString('base64'));
    },
  ],
});
