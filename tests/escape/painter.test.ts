import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { cuervo } from './support/paths.ts';
import { usePlace } from './support/place.ts';

const place = usePlace({
  fill: async (made) => {
    await made.install(await buildGuest('painter'));
  },
});

/** What a terminal is sent while the guest says these words. */
function onTerminal(input: { words: string; fail?: boolean }, flags: readonly string[] = []) {
  const words = [
    ...[process.execPath, cuervo, 'run', 'painter.say', JSON.stringify(input)],
    ...['--workspace', place.work, ...flags],
  ];
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  // An exit code of its own is an answer, too.
  return execFileSync('/bin/sh', ['-c', 'script -qec "$1" /dev/null || true', 'sh', line], {
    env: { PATH: process.env.PATH, CUERVO_HOME: place.home, SHELL: '/bin/sh' },
    encoding: 'utf8',
  });
}

/** Clears the screen, sets the title, answers for the person, hides and turns round what follows. */
const painted =
  'owned\u001b[2J\u001b]0;title\u0007\u001b]52;c;eA==\u0007\u009b2J\u0090q\u009c\u007f\b\b\rover\u202e\u2066\u200b';

function expectPlain(shown: string): void {
  expect(shown).toContain('owned');
  // What cuervo draws itself: colours, and the line of progress, which it takes away again.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const rest = shown.replace(/\u001b\[(?:\d+m|K)|\r(?=\n|\u001b\[K|$)/g, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  expect(rest).not.toMatch(/\u001b|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\u2066]/);
}

escapeCase('words of a tool that a terminal would obey', {
  needs: { file: '/usr/bin/script', install: 'sudo apt-get install bsdutils' },
  denied: [
    [
      'as log, progress, result and summary they do nothing',
      () => {
        expectPlain(onTerminal({ words: painted }));
        expectPlain(onTerminal({ words: painted }, ['--json']));
      },
    ],
    [
      'nor as the reason of a failure',
      () => {
        expectPlain(onTerminal({ words: painted, fail: true }));
        expectPlain(onTerminal({ words: painted, fail: true }, ['--json']));
      },
    ],
  ],
  control: [
    'plain words and lines are shown as they are',
    () => expect(onTerminal({ words: 'one\ntwo ü 😀' })).toContain('one\r\ntwo ü 😀'),
  ],
});
