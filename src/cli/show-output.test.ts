import { afterEach, describe, expect, it, vi } from 'vitest';
import type { KeptOutput } from '../contracts/kept-outputs.ts';
import { showOutput } from './runs.ts';

const kept = (stream: KeptOutput['stream']): KeptOutput => ({
  ...{ run: 'r1', step: 's1', plugin: 'shell', program: 'cat', stream },
  ...{ hash: stream, bytes: 3, isCut: false, ts: 0 },
});

/** @returns what was printed to standard output */
async function shown(streams: KeptOutput['stream'][], errors: boolean): Promise<string> {
  let printed = '';
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed += Buffer.from(chunk as Uint8Array).toString();
    return true;
  });
  const outputs = {
    list: async () => streams.map(kept),
    read: ({ hash }: KeptOutput) => Buffer.from(hash),
  };
  await showOutput(outputs, { run: 'r1', step: undefined, errors });
  return printed;
}

describe('showOutput()', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('prints the stream that is asked for', async () => {
    expect(await shown(['stdout', 'stderr'], false)).toBe('stdout');
    expect(await shown(['stdout', 'stderr'], true)).toBe('stderr');
  });

  it('prints no standard output in place of errors', async () => {
    await expect(shown(['stdout'], true)).rejects.toMatchObject({
      code: 'not-found',
      message: 'no long standard error of "r1" is kept',
      hint: 'Its standard output is: cuervo runs output r1 s1',
    });
    await expect(shown([], true)).rejects.toThrow('no long output of "r1" is kept');
  });
});
