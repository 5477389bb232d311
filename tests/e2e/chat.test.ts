import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ChatBody,
  type ChatScript,
  type OpenAiServer,
  startOpenAiServer,
} from '../fixtures/openai-server/server.ts';
import { openTerminal, type Terminal, tmuxMissing } from '../fixtures/terminal/in-tmux.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing = tmuxMissing();
const where = 'where is the retry limit set?';
/** At the end of the screen, where a line is typed. */
const atPrompt = /\n> *\n[^\n]* Shift\+Tab\n*$/;

/** A chat at a terminal, as a person sits at it; the caller owns it. */
function open(place: Place, ...flags: string[]): Terminal {
  const terminal = openTerminal({
    cwd: place.work,
    env: {
      ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.dir, CUERVO_HOME: place.home },
      ...(flags.includes('--color') ? {} : { NO_COLOR: '1' }),
    },
  });
  const words = [process.execPath, program, ...(flags.length === 0 ? ['chat'] : flags)];
  terminal.type(`${words.map((word) => `'${word}'`).join(' ')}; echo ended $?`);
  return terminal;
}

/** The last question of a request, as the model reads it. */
const askedIn = ({ messages }: ChatBody): string =>
  messages.findLast(({ role }) => role === 'user')?.content ?? '';

/** Says what it was asked, writes where it is told to, or takes its time. */
const script: ChatScript = (body) => {
  const asked = askedIn(body);
  if (body.messages.at(-1)?.role === 'tool') return { type: 'message', text: 'It is *written*.' };
  if (asked.includes('write it')) {
    const input = { path: 'new.txt', text: 'hello\n' };
    return { type: 'message', toolCalls: [{ name: 'file__write', input }] };
  }
  if (asked.includes('take your time')) {
    return { type: 'hang', text: 'This takes a long, long, long time' };
  }
  const lines = asked.slice(asked.lastIndexOf('Question: ') + 'Question: '.length).split('\n');
  return { type: 'message', text: `You **said** ${JSON.stringify(lines)}.` };
};

async function withModel(place: Place): Promise<OpenAiServer> {
  const server = await startOpenAiServer(script);
  await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
  await place.cuervo(['model', 'use', 'srv/test']);
  return server;
}

describe(`chat${missing === undefined ? '' : `, skipped: ${missing}`}`, () => {
  it.skipIf(missing)('answers without a model, explains itself, and leaves by Ctrl+D', async () => {
    using place = openPlace(fixtureRepository);
    using terminal = open(place);
    await terminal.waitFor('typed.');
    terminal.type(where);
    await terminal.waitFor('maxRetries = 7');
    terminal.type('/help');
    await terminal.waitFor('/compact');
    for (const name of ['plan', 'undo', 'diff', 'model', 'tools', 'memory', 'cost', 'export'])
      expect(terminal.screen()).toContain(`\n/${name} `);
    terminal.type('/plan');
    await terminal.waitFor('s1  search.passages (read)');
    terminal.type('/nothing');
    await terminal.waitFor('error: there is no command /nothing');
    terminal.type('/m');
    await terminal.waitFor('error: /m may be /model or /memory');
    terminal.type('/Cost');
    await terminal.waitFor('no model was asked in this chat');
    terminal.type('/tools search.grep');
    await terminal.waitFor('search.grep  (search');
    terminal.type('/model srv/gone');
    await terminal.waitFor('hint:', 2);
    await terminal.waitFor('> /model srv/gone');
    terminal.press('C-d');
    await terminal.waitFor('ended 0');
    expect(terminal.screen()).toContain('go on with: cuervo chat -c');
  });

  it.skipIf(missing)('takes lines with more to come, and pasted text as one message', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await withModel(place);
    using terminal = open(place);
    await terminal.waitFor('model srv/test');
    terminal.type('first \\');
    await terminal.waitFor('… ');
    terminal.write('second');
    terminal.press('M-Enter');
    terminal.type('third');
    await terminal.waitFor('You **said** ["first ","second","third"].');
    terminal.paste('def f():\n\treturn 1\n');
    await terminal.waitFor('[paste 1: 2 lines]');
    terminal.type(' is this right?');
    await terminal.waitFor('["def f():","\\treturn 1 is this right?"]');
    expect(server.requests).toHaveLength(2);
    // What was typed comes back, to be changed and sent again.
    terminal.press('Up');
    terminal.press('Up');
    await terminal.waitFor('> first  ⏎ second ⏎ third');
    terminal.type('!');
    await terminal.waitFor('["first ","second","third!"]');
    expect(server.requests).toHaveLength(3);
    // So does what has the words of the line in it, the newest first.
    terminal.write('SECOND');
    terminal.press('C-r');
    await terminal.waitFor('> first  ⏎ second ⏎ third!');
    terminal.press('C-r');
    await terminal.waitFor(/> first {2}⏎ second ⏎ third\n[^\n]*Shift\+Tab\s*$/);
    // All of it is one conversation.
    expect(server.requests[2]?.messages.filter(({ role }) => role === 'assistant')).toHaveLength(2);
  });

  it.skipIf(missing)('ends the answer by Ctrl+C and not the chat, which twice leaves', async () => {
    using place = openPlace(fixtureRepository);
    await using _server = await withModel(place);
    using terminal = open(place);
    await terminal.waitFor('model srv/test');
    terminal.type('take your time');
    await terminal.waitFor('long, long, long');
    terminal.press('C-c');
    await terminal.waitFor('it was interrupted');
    await terminal.waitFor('Nothing that was said is lost; go on with: go on');
    expect(terminal.screen()).not.toMatch(/^ended/m);
    terminal.type('are you there?');
    await terminal.waitFor('You **said** ["are you there?"].');
    terminal.write('half a line');
    await terminal.waitFor('> half a line');
    terminal.press('C-c');
    terminal.press('C-c');
    await terminal.waitFor('Ctrl+C again, or Ctrl+D, leaves the chat.');
    expect(terminal.screen()).toMatch(atPrompt);
    terminal.press('C-c');
    await terminal.waitFor('ended 0');
    const shown = await place.cuervo(['session', 'show']);
    expect(shown.stdout).toContain('> take your time');
    expect(shown.stdout).not.toContain('half a line');
  });

  it.skipIf(missing)('tells what breaks off on a line of its own', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer((_, { number }) =>
      number === 1
        ? { type: 'drop', text: 'It begins and' }
        : { type: 'message', text: 'it ends well.' },
    );
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
    using terminal = open(place, 'chat', '-m', 'srv/test');
    await terminal.waitFor('model srv/test');
    terminal.type('does it end?');
    await terminal.waitFor('it ends well.');
    expect(terminal.screen()).toMatch(/^It begins(?: and)?\nnote: /m);
  });

  it.skipIf(missing)('asks before a change, shows it, and takes it back', async () => {
    using place = openPlace(fixtureRepository);
    await using _server = await withModel(place);
    using terminal = open(place);
    const file = join(place.work, 'new.txt');
    await terminal.waitFor('model srv/test');
    terminal.type('write it');
    await terminal.waitFor('cuervo asks: may this change be made?');
    await terminal.waitFor('/s/p/e/n/?] ');
    expect(existsSync(file)).toBe(false);
    terminal.type('y');
    await terminal.waitFor('It is *written*.');
    expect(readFileSync(file, 'utf8')).toBe('hello\n');
    expect(terminal.screen()).toContain('file.write new.txt hello → new.txt created');
    terminal.type('/diff');
    await terminal.waitFor('+hello');
    terminal.type('/undo');
    await terminal.waitFor('Undo this run? [y/n]');
    terminal.type('n');
    await terminal.waitFor('nothing was undone');
    expect(existsSync(file)).toBe(true);
    terminal.type('/undo');
    await terminal.waitFor('Undo this run? [y/n]', 2);
    terminal.type('y');
    await terminal.waitFor('removed new.txt');
    expect(existsSync(file)).toBe(false);
    terminal.type('/cost');
    await terminal.waitFor('1 question: 2 rounds');
    terminal.type('/export talk.md');
    await terminal.waitFor('written to');
    expect(readFileSync(join(place.work, 'talk.md'), 'utf8')).toMatch(
      /## 1\. Question\n\nwrite it\n\n### 2\. Step\n\nCalls `file\.write`:/,
    );
    terminal.type('/model none');
    await terminal.waitFor('none answers from now on');
    terminal.type(where);
    await terminal.waitFor('maxRetries = 7');
  });

  it.skipIf(missing)(
    'goes on with -c, with what was said, and with the real messages',
    async () => {
      using place = openPlace(fixtureRepository);
      await using server = await withModel(place);
      expect((await place.cuervo(['ask', 'my number is 41'])).code).toBe(0);
      using terminal = open(place, 'chat', '-c');
      await terminal.waitFor('> my number is 41');
      terminal.type('and one more');
      await terminal.waitFor('You **said** ["and one more"].');
      expect(server.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
        ...['system', 'user', 'assistant', 'user'],
      ]);
      terminal.type('/new');
      terminal.type('anew');
      await terminal.waitFor('You **said** ["anew"].');
      expect(server.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    },
  );

  it.skipIf(missing)('asks once for each version whether AGENTS.md may be followed', async () => {
    using place = openPlace({ ...fixtureRepository, 'AGENTS.md': 'Always answer in rhymes.\n' });
    await using server = await withModel(place);
    using terminal = open(place);
    await terminal.waitFor('model srv/test');
    terminal.type('hello');
    await terminal.waitFor('Let the model follow it? It can allow nothing.');
    await terminal.waitFor('[y/n]');
    terminal.type('y');
    await terminal.waitFor('You **said** ["hello"].');
    expect(server.requests[0]?.messages[0]?.content).toContain(
      'AGENTS.md:\nAlways answer in rhymes.',
    );
    terminal.type('again');
    await terminal.waitFor('You **said** ["again"].');
    expect(terminal.screen().split('[y/n]')).toHaveLength(2);
    place.write({ 'AGENTS.md': 'Always answer in prose.\n' });
    terminal.type('and now?');
    await terminal.waitFor('[y/n]', 2);
    terminal.type('n');
    await terminal.waitFor('You **said** ["and now?"].');
    const [system, ...others] = server.requests[2]?.messages ?? [];
    expect(system?.content).not.toContain('prose');
    expect(JSON.stringify(others)).toContain('Always answer in prose.');
  });

  it.skipIf(missing)('colours Markdown as it comes, and code by its language', async () => {
    using place = openPlace(fixtureRepository);
    const text = '## Rule\n\nSet **once** in `a.ts`:\n\n```ts\nconst limit = 7;\n```\n';
    await using server = await startOpenAiServer(() => ({ type: 'message', text }));
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
    using terminal = open(place, 'ask', '-m', 'srv/test', '--color', 'auto', 'what rule is set?');
    await terminal.waitFor('ended 0');
    expect(terminal.screen()).toContain(
      'Rule\n\nSet once in a.ts:\n\n```ts\nconst limit = 7;\n```',
    );
    expect(terminal.colours()).toContain('\u001b[1mRule');
    expect(terminal.colours()).toMatch(/36m(?:.{1,6}m)?const/);
    // A pipe gets what the model said.
    const piped = await place.cuervo(['ask', '-m', 'srv/test', 'what rule is set?']);
    expect(piped.stdout).toContain(text.trim());
    expect(piped.stdout).not.toContain('\u001b');
    const plain = await place.cuervo(['ask', '-m', 'srv/test', '--color', 'always', 'a rule?']);
    expect(plain.stdout).toContain('\u001b[36mconst\u001b[39m');
  });
});

describe('chat without a terminal', () => {
  it('takes a question a line, in one session, and prints events', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await withModel(place);
    const ran = await place.cuervo(['chat', '--json'], { stdin: 'one\n\ntwo\n' });
    expect(ran.code).toBe(0);
    expect(ran.lines.filter(({ type }) => type === 'answer')).toMatchObject([
      { text: 'You **said** ["one"].' },
      { text: 'You **said** ["two"].' },
    ]);
    expect(server.requests[1]?.messages).toHaveLength(4);
    expect((await place.cuervo(['session', 'list', '--json'])).rows).toHaveLength(1);
  });

  it('has the exit code of the last question that failed', async () => {
    using place = openPlace(fixtureRepository);
    const ran = await place.cuervo(['chat'], { stdin: `xyzzy plugh\n${where}\n` });
    expect(ran.code).toBe(4);
    expect(ran.stdout).toContain('maxRetries = 7');
    expect((await place.cuervo(['chat'], { stdin: `${where}\n` })).code).toBe(0);
  });
});
