import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ChatScript, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { filesWith } from '../support/files-with.ts';
import { openPlace, type Place } from '../support/place.ts';

/** Files of the home by name: how their words are removed, or what they hold instead of words. */
const keptFiles: Readonly<Record<string, string>> = {
  'cuervo.db': 'its columns are in `keptWords`; it is written anew by every deletion',
  'cuervo.db-wal': 'its log, cut by every deletion',
  'cuervo.db-shm': 'places in the log',
  ...{ 'cuervo.db-flush': 'an empty file that is locked', 'cuervo.db-repair': 'the same' },
  ...{ audit: 'keys', 'audit-heads.jsonl': 'numbers and digests' },
  lancedb: 'rows of memory: written anew by memory compact, or by optimize_tables within a day',
  'vectors.db': 'vectors by the digest of a text: all, with every deletion',
  'vectors.db-wal': 'its log',
  'vectors.db-shm': 'places in the log',
  'prompt-states': 'what models made of prompts: all, with every deletion',
  blobs:
    'states of files, long outputs and answers: with every deletion, those that no row names any more',
  'dry-runs': 'copies of a workspace: with their run',
  snapshots: 'paths and digests of these states: all, with every deletion',
  caches: 'what programs themselves keep',
  ...{ sandbox: 'masks', compiled: 'code', components: 'code', libraries: 'names of libraries' },
  ...{ 'libraries.json': 'names of libraries', plugins: 'code', 'plugins.lock': 'names' },
  ...{ prepared: 'code', tried: 'code', packages: 'code', downloads: 'parts of downloads' },
  logs: 'times, tools, outcomes and counts',
  tmp: 'temporary files, where TMPDIR cannot be written',
  ...{ models: 'models', 'metrics.json': 'counts', 'grants.toml': 'grants' },
};

const newToken = (): string => `zy${randomBytes(8).toString('hex')}`;

async function done(
  place: Place,
  ...args: string[]
): Promise<Awaited<ReturnType<Place['cuervo']>>> {
  const ran = await place.cuervo(args);
  expect(ran.code, `${args.join(' ')}: ${ran.stderr}`).toBe(0);
  return ran;
}

const idsOf = async (place: Place, key: string, ...list: string[]): Promise<string[]> =>
  (await done(place, ...list, '--json')).rows.map((row) => `${row[key]}`);

const allowed = ['--allow', 'fs-write:work', '--allow', 'exec:seq', '--allow', 'exec:printf'];
/** Runs without a session: they read, write twice over, print much, and fail. */
async function runTools(place: Place, word: string): Promise<void> {
  await done(place, 'run', 'search.grep', `pattern=${word}`);
  for (const text of [word, 'other', `${word} again`, 'last']) {
    await done(place, 'run', 'file.write', 'path=out.txt', `text=${text}`, ...allowed);
  }
  await done(place, 'run', 'file.write', `path=${word}.txt`, 'text=x', ...allowed);
  await done(place, 'run', 'shell.run', `command=seq -f '${word}%g' 20000`, ...allowed);
  await done(place, 'run', 'file.write', 'path=dry.txt', `text=${word}`, '--dry-run', ...allowed);
  await place.cuervo(['run', 'file.read', `path=no-${word}`]);
}

/** A model that searches for the word, writes it, prints it, and says it. */
function sayer(word: string): ChatScript {
  return (body) => {
    const calls = [
      { name: 'search__grep', input: { pattern: word } },
      { name: 'file__write', input: { path: 'said.txt', text: `${word}\n` } },
      { name: 'file__write', input: { path: 'said.txt', text: 'else\n' } },
      { name: 'shell__run', input: { command: `printf '${word} %s'` } },
    ];
    const call = calls[body.messages.filter(({ role }) => role === 'tool').length];
    if (call === undefined || body.tools === undefined) {
      return { type: 'message', text: `It is ${word}.` };
    }
    return { type: 'message', text: `I look for ${word}.`, toolCalls: [call] };
  };
}

/** A message that is offered, and the command that it names. */
async function correct(place: Place, text: string): Promise<void> {
  const { stderr } = await place.cuervo(['ask', `no, ${text}`]);
  const [, id = ''] = /cuervo memory edit (\w+)/.exec(stderr) ?? [];
  await done(place, 'memory', 'edit', id, text);
}

/** Questions with and without an answer, facts, a conversation with a model, a dry run. */
async function talk(place: Place, word: string): Promise<void> {
  await place.cuervo(['ask', `where is ${word} set?`]);
  await done(place, 'ask', `what is the heron ${word} doing?`);
  await place.cuervo(['ask', '-c', `and who reads ${word}?`, '--dry-run']);
  await done(place, 'ask', `remember that the ${word} deploy is on Friday`);
  await correct(place, `the ${word} deploy is on Monday`);
  await done(place, 'ask', `remember that I prefer ${word}`);
  await using server = await startOpenAiServer(sayer(word));
  await done(place, 'model', 'add', server.url, '--name', 'srv', '--local');
  await done(place, 'ask', `tell me about ${word}`, '-m', 'srv/test', ...allowed);
  await done(place, 'ask', '-c', `more of ${word}`, '-m', 'srv/test', ...allowed);
}

const files = { 'birds.md': '# Birds\n\nThe heron is doing well.\n' };

describe('words that a person wants gone', { timeout: 240_000 }, () => {
  it('are in no file once their sessions are deleted', async () => {
    using place = openPlace(files);
    const word = newToken();
    await talk(place, word);
    await done(place, 'memory', 'compact');
    await done(place, 'jobs', 'run', 'promote_decisions');
    expect(filesWith(place, word)).not.toEqual([]);
    for (const id of await idsOf(place, 'id', 'session', 'list')) {
      await done(place, 'session', 'delete', id, '--yes');
    }
    await done(place, 'memory', 'compact');
    expect(filesWith(place, word)).toEqual([]);
    expect(readdirSync(place.home).filter((name) => keptFiles[name] === undefined)).toEqual([]);
  });

  it('stay in the copy of a session, and go with it', async () => {
    using place = openPlace(files);
    const word = newToken();
    await done(place, 'ask', `what is the heron ${word} doing?`);
    const [id = ''] = await idsOf(place, 'id', 'session', 'list');
    await done(place, 'session', 'fork', id);
    await done(place, 'session', 'delete', id, '--yes');
    const [copy = ''] = await idsOf(place, 'id', 'session', 'list');
    expect((await done(place, 'session', 'show', copy)).stdout).toContain(word);
    await done(place, 'session', 'delete', copy, '--yes');
    expect(filesWith(place, word)).toEqual([]);
  });

  it('are in no file once every run is forgotten', async () => {
    using place = openPlace(files);
    const word = newToken();
    await runTools(place, word);
    await talk(place, word);
    await done(place, 'plan', `find ${word}`);
    expect(filesWith(place, word)).not.toEqual([]);
    for (const id of await idsOf(place, 'run', 'runs', 'list', '--limit', '100')) {
      await done(place, 'memory', 'forget', '--run', id, '--yes');
    }
    await done(place, 'memory', 'compact');
    expect(filesWith(place, word)).toEqual([]);
    expect((await done(place, 'runs', 'list')).stdout).toContain('(forgotten)');
  });

  it('are in no file once each row of memory is forgotten by its id', async () => {
    using place = openPlace(files);
    const word = newToken();
    await done(place, 'ask', `what is the heron ${word} doing?`);
    await done(place, 'ask', `remember that the ${word} deploy is on Friday`);
    await done(place, 'ask', `remember that the ${word} deploy is on Monday`);
    await done(place, 'ask', `remember that I prefer ${word}`);
    await done(place, 'memory', 'compact');
    for (const id of await idsOf(place, 'id', 'memory', 'list')) {
      await place.cuervo(['memory', 'forget', '--id', id, '--yes']);
    }
    await done(place, 'memory', 'compact');
    expect(filesWith(place, word)).toEqual([]);
  });

  it('are in no file once their source is forgotten, where the file is gone, too', async () => {
    const word = newToken();
    using place = openPlace({ ...files, 'notes.md': `# Notes\n\nThe crane sings ${word}.\n` });
    await done(place, 'memory', 'add', 'notes.md');
    await done(place, 'memory', 'compact');
    await done(place, 'ask', 'what does the crane sing?');
    // copies the files of the workspace, so that what it changes can be taken back
    await done(place, 'run', 'shell.run', "command=printf 'x'", ...allowed);
    expect(filesWith(place, word)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^blobs/)]),
    );
    rmSync(join(place.work, 'notes.md'));
    await done(place, 'memory', 'forget', '--source', 'notes.md', '--yes');
    await done(place, 'memory', 'compact');
    expect(filesWith(place, word)).toEqual([]);
  });
});
