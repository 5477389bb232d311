import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const plugin = (path: string, more = ''): string => `
import { definePlugin, fsWrite, paths, v } from '@cuervo/sdk';
${more}
export default definePlugin({
  name: 'noter', version: '1.0.0', description: 'Notes.',
  wants: [{ capability: 'fs-write', why: 'writes notes' }],
  tools: [
    { name: 'note', description: 'Writes a note.', effect: 'write', input: v.object({ text: v.string() }), examples: [],
      run: ({ text }) => { fsWrite.writeText(paths.host('${path}'), text); return { content: text, summary: 'noted' }; } },
    { name: 'say', description: 'Says it.', effect: 'pure', input: v.object({ text: v.string() }), examples: [],
      run: ({ text }) => ({ content: text${more === '' ? '' : ' + word'}, summary: 'said' }) },
  ],
});
`;

type Dev = AsyncDisposable & {
  type(line: string): void;
  /** All that it told until it has told this so often. */
  told(text: string, times?: number): Promise<string>;
};

/** `plugin dev` of the folder `noter`, from within it, so that its calls write beside its sources. */
function dev(place: Place, ...args: string[]): Dev {
  const child: ChildProcess = spawn(process.execPath, [program, 'plugin', 'dev', '.', ...args], {
    cwd: join(place.work, 'noter'),
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let all = '';
  let heard = Promise.withResolvers<void>();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    all += text;
    heard.resolve();
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  void ended.then(() => heard.resolve());
  return {
    type: (line) => void child.stdin?.write(`${line}\n`),
    told: async (text, times = 1) => {
      while (all.split(text).length <= times) {
        if (child.exitCode !== null) throw new Error(`it ended: ${all}`);
        heard = Promise.withResolvers<void>();
        await heard.promise;
      }
      return all;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGINT');
      await ended;
    },
  };
}

const count = (all: string, text: string): number => all.split(text).length - 1;
const allowed = ['--allow', 'fs-write:work', '--workspace', '.'];

describe('cuervo plugin dev', { timeout: 120_000 }, () => {
  it('builds nothing for what its calls write beside the sources', async () => {
    using place = openPlace({ 'noter/plugin.ts': plugin('notes.txt') });
    await using it = dev(place, 'note', 'text=one', ...allowed);
    await it.told('called noter.note');
    for (const times of [2, 3, 4]) {
      it.type(`note text=${times}`);
      await it.told('called noter.note', times);
    }
    expect(readFileSync(join(place.work, 'noter/notes.txt'), 'utf8')).toBe('4');
    // control: what the author writes is built, and the last call repeated
    writeFileSync(join(place.work, 'noter/plugin.ts'), `${plugin('notes.txt')}// more\n`);
    const all = await it.told('called noter.note', 5);
    expect(count(all, 'built noter')).toBe(2);
    // what was said of the first build is not said again
    expect(count(all, 'note: fs-write:ROOT')).toBe(1);
  });

  it('repeats no write that changed a source itself', async () => {
    using place = openPlace({
      'noter/plugin.ts': plugin('word.ts', "import { word } from './word.ts';"),
      'noter/word.ts': "export const word = '';",
    });
    const text = "export const word = 'two';";
    await using it = dev(place, 'note', `text=${text}`, ...allowed);
    await it.told('the call changed a source');
    await it.told('built noter', 2);
    it.type('say text=one');
    const all = await it.told('called noter.say');
    expect(count(all, 'called noter.note')).toBe(1);
    expect(count(all, 'built noter')).toBe(2);
  });

  it('builds for a change of what it read outside of its folder, and for a file that was missing', async () => {
    using place = openPlace({
      'noter/plugin.ts': plugin('notes.txt', "import { word } from '../shared/word.ts';"),
      'noter/notes.txt': '',
      'shared/other.ts': '',
      '.git/HEAD': 'ref: refs/heads/main\n',
    });
    await using it = dev(place, 'say', 'text=one', ...allowed);
    await it.told('error:');
    place.write({ 'shared/word.ts': "export const word = 'two';" });
    // a file beside the sources tells that something came; the folder of the missing one is not known
    place.write({ 'noter/more.ts': '' });
    await it.told('called noter.say');
    place.write({ 'shared/word.ts': "export const word = 'three';" });
    const all = await it.told('called noter.say', 2);
    expect(count(all, 'built noter')).toBe(2);
  });
});
