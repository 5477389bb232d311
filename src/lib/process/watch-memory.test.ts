import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchMemory } from './watch-memory.ts';

const program = `
  process.stdin.on('data', () => { globalThis.kept = Buffer.alloc(200e6, 1); console.log('taken'); });
  console.log('up');
`;

describe.skipIf(process.platform !== 'linux')('watchMemory()', () => {
  let child: ReturnType<typeof start>;
  const start = () =>
    spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore'] });

  beforeEach(async () => {
    child = start();
    await once(child.stdout, 'data');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  afterEach(() => {
    vi.useRealTimers();
    child.kill('SIGKILL');
  });

  const watch = (isIdle: () => boolean) => {
    const looked = vi.fn(isIdle);
    const exceeded = vi.fn();
    return { memory: watchMemory(child.pid ?? 0, 200e6, looked, exceeded), looked, exceeded };
  };

  it('looks seldom at what waits, often at what works, and at once when there is work', () => {
    let isIdle = true;
    const { memory, looked } = watch(() => isIdle);
    vi.advanceTimersByTime(10_000);
    expect(looked.mock.calls.length).toBeGreaterThan(20);
    expect(looked.mock.calls.length).toBeLessThan(35);

    isIdle = false;
    looked.mockClear();
    memory.hurry();
    vi.advanceTimersByTime(50);
    expect(looked).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(9_950);
    expect(looked).toHaveBeenCalledTimes(200);

    looked.mockClear();
    memory[Symbol.dispose]();
    memory.hurry();
    vi.advanceTimersByTime(10_000);
    expect(looked).not.toHaveBeenCalled();
  });

  it('tells once what took too much, though it waited', async () => {
    const { memory, exceeded } = watch(() => true);
    vi.advanceTimersByTime(10_000);
    expect(exceeded).not.toHaveBeenCalled();
    child.stdin.write('go');
    await once(child.stdout, 'data');
    vi.advanceTimersByTime(400);
    expect(exceeded).toHaveBeenCalledTimes(1);
    memory.hurry();
    vi.advanceTimersByTime(10_000);
    expect(exceeded).toHaveBeenCalledTimes(1);
  });
});
