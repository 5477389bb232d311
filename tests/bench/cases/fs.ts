import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench-context.ts';
import { benchPlugins, callTool, installFrom, openHost } from '../bench-host.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, timed } from '../measure.ts';

const fileBytes = 4096;
/** In one call; the share of the call itself is below a hundredth, and taken off. */
const reads = 500;

const read: Target = { name: 'fs.read-text', unit: 'ms', reach: '<= 0.06 ms' };

/** One read of a file inside of a guest, beside the same by Node. */
const readBench: Bench = {
  ...read,
  run: async () => {
    using reader = await installFrom(join(benchPlugins, 'reader'));
    const work = mkdtempSync(join(tmpdir(), 'cuervo-bench-read-'));
    const file = join(work, 'a.txt');
    writeFileSync(file, 'every tool is a component. '.repeat(152).slice(0, fileBytes));
    await using host = openHost(reader.store, { work });
    const call = async (times: number): Promise<number> =>
      await timed(async () => {
        const answer = await callTool(host, 'reader.read', { path: 'work:a.txt', times });
        if (Number(answer) !== times * fileBytes) throw new Error(`the reader read ${answer}`);
      });
    const plain = async (): Promise<number> =>
      await timed(async () => {
        for (let time = 0; time < reads; time += 1) readFileSync(file, 'utf8');
      });
    const runs = 40;
    try {
      const ours = async (): Promise<number> => (await call(reads)) - (await call(0));
      const { a, b = 0 } = await interleave({ runs, warmUps: 5 }, ours, plain);
      return benchLine(read, {
        ...{ value: a / reads, runs, peer: 'readFileSync', peerValue: b / reads },
      });
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  },
};

export const fsBenches: readonly Bench[] = [readBench];
