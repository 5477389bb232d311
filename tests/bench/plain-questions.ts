import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { docxOf, pdfOf } from '../support/documents.ts';
import { openPlace, type Place } from '../support/place.ts';
import { plainQuestions } from './plain-question-list.ts';

/**
 * Asks the questions of `plain-question-list.ts` as a new user would, of packages that are installed
 * and of a folder of notes, and prints whether each answer is right, said to lack something in its
 * first line, or silent: `npm run bench:questions`, and with `-- --scripted` by a model that says the
 * same words to everything.
 */
const isScripted = process.argv.includes('--scripted');
const words = 'So it is.';
const root = join(import.meta.dirname, '../..');

const people = ['Ana Lopez', 'Clara Weiss', 'Ben Okoro'];
const days = ['2026-05-04', '2026-06-10', '2026-08-20', '2026-09-15', '2026-11-03'];

/** A package with five commits by three people. */
function packagePlace(name: string, kept: readonly string[]): Place {
  const place = openPlace();
  const git = (day: string, by: string, ...args: string[]): void => {
    const date = `${day}T12:00:00Z`;
    const own = ['-c', `user.name=${by}`, '-c', 'user.email=a@example.org'];
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    execFileSync('git', [...own, ...args], { cwd: place.work, env, stdio: 'ignore' });
  };
  git('2026-05-04', 'Ana Lopez', 'init', '-q');
  for (const [at, day] of days.entries()) {
    const by = people[at % people.length] as string;
    if (at === 0)
      for (const each of kept)
        cpSync(join(root, 'node_modules', name, each), join(place.work, each), { recursive: true });
    else place.write({ 'NOTES.md': `# Notes\n\nRound ${at} of ${name}.\n` });
    git(day, by, 'add', '-A');
    git(day, by, 'commit', '-qm', at === 0 ? `Add ${name}` : `Note round ${at}`);
  }
  return place;
}

function notesPlace(): Place {
  const log = ['INFO start', 'WARN slow disk', 'ERROR lost a@b', 'INFO retry', 'ERROR gone'];
  return openPlace({
    'garden.md': '# Garden\n\nThe tomatoes need two litres of water a day.\n',
    'logs/app.log': log.map((line, at) => `2026-11-0${at + 1} ${line}\n`).join(''),
    'sales.csv': 'region,units\nnorth,12\nsouth,30\n',
    'config.json': '{"server":{"port":8443}}\n',
    'contract.pdf': pdfOf([['Contract of lease', 'The notice period is three months.']]),
    'scan.pdf': pdfOf([[]]),
    'handbook.docx': docxOf(['Handbook', 'An employee has 28 days of holiday a year.']),
  });
}

using commander = packagePlace('commander', ['lib', 'package.json', 'LICENSE', 'Readme.md']);
using cacache = packagePlace('cacache', ['lib', 'package.json', 'LICENSE.md', 'README.md']);
using notes = notesPlace();
const places = { commander, cacache, notes };
await using server = await startOpenAiServer(() => ({ type: 'message', text: words }));

/** A scripted answer counts where the words of the model reach the person. */
const model = isScripted ? 'srv/test' : 'none';
if (isScripted)
  for (const place of Object.values(places))
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);

const counts = { right: 0, said: 0, silent: 0 };
for (const { where, question, right, said } of plainQuestions) {
  const asked = ['ask', '--model', model, question];
  const { code, stdout, stderr } = await places[where].cuervo(asked, { cwd: places[where].work });
  const [first = ''] = stdout.split('\n');
  const isRefused = code === 4 && stderr.startsWith('error: ');
  const isSaid = said?.test(`${first}\n${stderr}`) === true || isRefused;
  if (isScripted) {
    const isReached = code === 0 && stdout.includes(words);
    counts[isReached ? 'right' : 'silent'] += 1;
    if (!isReached) process.stdout.write(`${code} ${where} ${question}: ${stderr}\n`);
    continue;
  }
  const judged = right?.test(stdout) === true ? 'right' : isSaid ? 'said' : 'silent';
  counts[judged] += 1;
  process.stdout.write(`${judged.padEnd(7)} ${where.padEnd(10)} ${question}\n`);
}
const { version } = JSON.parse(
  readFileSync(join(root, 'node_modules/commander/package.json'), 'utf8'),
);
process.stdout.write(
  `commander ${version}, model ${model}: ${counts.right} right, ${counts.said} said, ${counts.silent} silent of ${plainQuestions.length}\n`,
);
