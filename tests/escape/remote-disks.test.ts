import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { program } from '../support/run-cuervo.ts';
import type { DiskStory } from './support/disk-server.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';
import { strangerDisk } from './support/stranger-disk.ts';

const place = usePlace({
  fill: ({ work }) => {
    mkdirSync(join(work, 'far'));
    put(work, 'near.txt', 'near apple\n');
  },
});

type Ended = {
  /** NaN where it was not over in 50 seconds */ code: number;
  said: string;
};

/** Runs a command of cuervo in the workspace, with a stranger's file system mounted at `far`. */
async function withDisk(story: Partial<DiskStory>, args: readonly string[]): Promise<Ended> {
  const files = { 'a.txt': 'far apple\n', 'deep/b.txt': 'far pear\n' };
  const disk = [join(import.meta.dirname, 'support/disk-server.ts'), join(place.work, 'far')];
  const own = [process.execPath, ...disk, JSON.stringify({ files, ...story })];
  const shown = ['-m', '--propagation', 'private', ...own, process.execPath, program, ...args];
  const child = spawn('unshare', shown, {
    cwd: place.work,
    env: { PATH: process.env.PATH, CUERVO_HOME: place.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // With its server the file system goes, and who waits for it is let go.
  const patience = setTimeout(() => child.kill('SIGKILL'), 50_000);
  const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  clearTimeout(patience);
  return { code: Number(/^ended with (\d+)$/m.exec(said)?.[1]), said };
}

const list = (path: string, ...more: string[]): string[] => [
  ...['run', 'file.list', JSON.stringify({ path }), '--allow', 'fs:work', ...more],
];
const shell = (command: string): string[] => [
  ...['run', 'shell.run', JSON.stringify({ command }), '--allow', 'fs:work', '--allow', 'exec:cat'],
];

escapeCase('file system that never answers', {
  needs: strangerDisk,
  denied: [
    [
      'a question, a tool and a program end in some seconds, and name it',
      async () => {
        for (const args of [['ask', 'Where is the apple?'], list('.'), shell('cat near.txt')]) {
          const { code, said } = await withDisk({ silent: '.' }, args);
          expect(said).toContain(`${join(place.work, 'far')} (fuse.stranger) has not answered`);
          expect(said).toContain('fusermount3 -uz');
          expect(code).toBe(7);
        }
      },
    ],
    [
      'a call that waits for one name of it ends in its time, and cuervo with it',
      async () => {
        const { code, said } = await withDisk({ silent: 'deep' }, list('far', '--timeout', '3'));
        expect(said).toContain('no answer after 3000 ms');
        expect(code).toBe(5);
      },
    ],
    [
      'and with Ctrl+C',
      async () => {
        const { code, said } = await withDisk({ silent: 'deep', interrupts: true }, list('far'));
        expect(said).toContain('interrupted');
        expect(code).toBe(130);
      },
    ],
  ],
  control: [
    'one that answers is listed and read by tools and programs, and one that does not stops no other command',
    async () => {
      expect((await withDisk({ silent: '.' }, ['plugin', 'list'])).said).toContain('file 0.1.0');
      expect((await withDisk({}, list('far'))).said).toContain('far/a.txt');
      expect((await withDisk({}, shell('cat far/a.txt near.txt'))).said).toContain('near apple');
    },
  ],
});

const appears = { after: 'a.txt', path: '.env', text: 'TOKEN=appeared\n' };

escapeCase('file system whose times tell nothing', {
  needs: strangerDisk,
  denied: [
    'a protected file that appeared while a program ran is seen, and kept from the next',
    async () => {
      const { said } = await withDisk({ appears }, shell('cat far/a.txt; cat far/.env'));
      expect(said).toContain('work:far/.env, which later commands would obey');
      expect(said).not.toContain('appeared');
    },
  ],
  control: [
    'a plain file that did is shown',
    async () => {
      const plain = { ...appears, path: 'plain.txt' };
      const { said } = await withDisk(
        { appears: plain },
        shell('cat far/a.txt; cat far/plain.txt'),
      );
      expect(said).toContain('appeared');
    },
  ],
});
