import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { holderPid, isHolderGone, processHolder } from './files/lock-file.ts';

describe('isHolderGone()', () => {
  it('is false of this process, and true of one that has ended', async () => {
    const own = processHolder();
    expect(holderPid(own)).toBe(process.pid);
    expect(isHolderGone(own)).toBe(false);
    const child = spawn('true', { stdio: 'ignore' });
    const [, start, space] = own.split(' ');
    const ended = `${child.pid} ${start} ${space}`;
    await once(child, 'exit');
    expect(isHolderGone(ended)).toBe(true);
  });

  it.runIf(process.platform === 'linux')(
    'knows a number that was given away by the start of its process (Linux)',
    () => {
      const [pid, start, space] = processHolder().split(' ');
      expect(isHolderGone(`${pid} ${Number(start) - 1} ${space}`)).toBe(true);
    },
  );

  it.runIf(process.platform === 'linux')(
    'is true of one that has ended and keeps its number, as nobody asked how it ended (Linux)',
    async () => {
      const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        const [said] = (await once(parent.stdout, 'data')) as [Buffer];
        const pid = Number(said.toString());
        // a shell would ask how it ended
        const comm = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8');
        await expect.poll(comm).toBe('sleep\n');
        const fields = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
        const [, , space] = processHolder().split(' ');
        const holder = `${pid} ${fields()?.[19]} ${space}`;
        expect(isHolderGone(holder)).toBe(false);
        process.kill(pid, 'SIGKILL');
        await expect.poll(() => fields()?.[0]).toBe('Z');
        expect(isHolderGone(holder)).toBe(true);
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  it('says nothing about a process in another name space', () => {
    expect(isHolderGone('4194303 1 pid:[1]')).toBe(false);
  });
});
