import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { holderPid, isHolderGone, processHolder } from './process-holder.ts';

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

  it('says nothing of a process in another name space', () => {
    expect(isHolderGone('4194303 1 pid:[1]')).toBe(false);
  });
});
