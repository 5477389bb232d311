import { renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { defaultLimits } from '../../src/host/limits.ts';
import { createPluginHost, type Permission } from '../../src/host/plugin-host.ts';
import { openPluginStore } from '../../src/host/plugin-store.ts';
import { decodeKnownWindows } from '../../src/host/protocol/known-windows.ts';
import { createProcessSandbox } from '../../src/host/tier/process-sandbox.ts';
import { type FileStamp, stampsBelow } from '../../src/host/words/file-stamp.ts';
import { createWordFiles } from '../../src/kernel/word-files.ts';
import { escapeCase } from './support/escape-case.ts';
import { bundlesFolder, root } from './support/paths.ts';
import { put, usePlace } from './support/place.ts';

const place = usePlace({
  fill: (made) => {
    put(made.work, 'plain.txt', 'heron\n');
    put(made.work, 'sub/deep.txt', 'heron\n');
  },
});

const { signal } = new AbortController();
/** What was written a moment ago counts as settled. */
const clock = { nowMs: () => Date.now() + 60_000 };
const question = { root: 'work', start: '', words: ['heron'], window: 40, step: 30 };

type Told = { known: string[]; answered: boolean; paths: readonly string[]; counts: number[] };

/** The words of these files are counted; then `between` happens, and a hostile process asks. */
async function ask(
  paths: readonly string[],
  more: {
    between?: () => void;
    permission?: Partial<Permission>;
    added?: string[];
    asked?: object;
  } = {},
): Promise<Told> {
  const { home, work: workspace } = place;
  const open = (added: string[]) =>
    createWordFiles({ config: { home, workspace, protection: { added, lifted: [] } }, clock });
  const before = open([]);
  before.remove();
  const files = paths.map((path) => ({ path, ...(stampsBelow(workspace)(path) as FileStamp) }));
  await before.update(files, { signal });
  more.between?.();
  await using host = createPluginHost({
    stores: [{ store: openPluginStore(join(root, 'dist/builtin')), builtin: true }],
    permit: () => ({ denied: {}, roots: { work: workspace }, ...more.permission }),
    protectedPaths: {},
    words: open(more.added ?? []),
    services: new Map(),
    processBundle: join(bundlesFolder, 'word-asker.mjs'),
    sandbox: createProcessSandbox('auto', { home }),
    limits: defaultLimits,
  });
  const input = { question: JSON.stringify({ ...question, ...more.asked }) };
  const events = host.invoke({ tool: 'search.passages', input }, { signal, timeoutMs: 10_000 });
  for await (const event of events) {
    if (event.type !== 'output') continue;
    const told = JSON.parse(event.output.content) as {
      known: string[];
      reply: { value?: boolean };
      parts: number;
      bytes: string;
    };
    const bytes = Buffer.from(told.bytes, 'base64');
    const { paths: named, windows } = decodeKnownWindows([bytes]);
    const answered = told.reply.value === true || told.parts > 0;
    return { known: told.known, answered, paths: named, counts: [...windows] };
  }
  throw new Error('the process was not answered');
}

const nothing = { known: [], answered: false, paths: [], counts: [] };

escapeCase('words of files that a plugin may not read', {
  denied: [
    [
      'another root: a folder of the workspace, what lies beside it, none of that name',
      async () => {
        for (const folder of [join(place.work, 'sub'), place.outside, place.dir]) {
          const permission = { roots: { work: folder } };
          expect(await ask(['plain.txt', 'sub/deep.txt'], { permission })).toEqual(nothing);
        }
        for (const name of ['constructor', 'home', '']) {
          const told = await ask(['plain.txt'], { asked: { root: name } });
          expect(told).toEqual({ ...nothing, known: ['work'] });
        }
      },
    ],
    [
      'without a grant for files',
      async () => {
        const denied = { fs: { reason: 'not granted', hint: '' } };
        expect(await ask(['plain.txt'], { permission: { denied } })).toEqual(nothing);
      },
    ],
    [
      'a file that was changed, put back in time, moved or removed',
      async () => {
        const names = ['changed.txt', 'back.txt', 'moved.txt', 'removed.txt'];
        for (const name of names) put(place.work, name, 'heron\n');
        const at = (name: string): string => join(place.work, name);
        const between = (): void => {
          nextTick();
          writeFileSync(at('changed.txt'), 'heron heron\n');
          const { atime, mtime } = statSync(at('back.txt'));
          writeFileSync(at('back.txt'), 'stork\n');
          utimesSync(at('back.txt'), atime, mtime);
          renameSync(at('moved.txt'), at('.env'));
          rmSync(at('removed.txt'));
        };
        expect((await ask([...names, 'plain.txt'], { between })).paths).toEqual(['plain.txt']);
      },
    ],
    [
      'a folder that was moved out, a link in its place',
      async () => {
        put(place.work, 'gone/out.txt', 'heron\n');
        const between = (): void => {
          renameSync(join(place.work, 'gone'), join(place.outside, 'gone'));
          symlinkSync('../outside/gone', join(place.work, 'gone'));
        };
        expect((await ask(['gone/out.txt', 'plain.txt'], { between })).paths).toEqual([
          'plain.txt',
        ]);
      },
    ],
    [
      'a file whose name was protected since',
      async () => {
        const told = await ask(['plain.txt'], { added: ['plain.txt'] });
        expect(told).toEqual({ ...nothing, known: ['work'] });
      },
    ],
  ],
  control: [
    'the same process is told them where it may read the file, and it is as it was',
    async () => {
      const told = await ask(['plain.txt', 'sub/deep.txt']);
      expect(told).toEqual({
        known: ['work'],
        answered: true,
        paths: ['plain.txt', 'sub/deep.txt'],
        counts: [1, 1, 1, 1 << 6, 1, 1, 1, 1 << 6],
      });
    },
  ],
});

/** Until the file system gives another time: what is written within one tick has the same. */
function nextTick(): void {
  const probe = join(place.dir, 'probe');
  const ticks = (): number => {
    writeFileSync(probe, '');
    return statSync(probe).ctimeMs;
  };
  const before = ticks();
  while (ticks() === before);
}
