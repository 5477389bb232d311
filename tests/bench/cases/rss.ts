import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMessage } from '../../../src/host/install/prepare-plugin.ts';
import { defaultLimits } from '../../../src/host/limits.ts';
import { PluginProcess } from '../../../src/host/run/plugin-process.ts';
import { createProcessSandbox } from '../../../src/sandbox/process-sandbox.ts';
import type { Bench } from '../bench-context.ts';
import { dist, processBundle, root } from '../bench-host.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, pause } from '../measure.ts';
import { runProgram } from '../run-program.ts';

/** `VmRSS` counts in KiB; a MB here is 1,000,000 bytes. */
const bytesInKilobyte = 1024;

const child = join(import.meta.dirname, '..', 'children', 'resident-set.mjs');

const idle: Target = { name: 'rss.idle', unit: 'MB', reach: '< 90 MB' };

const rssIdle: Bench = {
  ...idle,
  run: async () => {
    const home = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
    const megabytes = async (args: readonly string[]): Promise<number> => {
      const { code, stdout, stderr } = await runProgram(process.execPath, [child, ...args], {
        cwd: home,
      });
      if (code !== 0) throw new Error(`the child ended with ${code}: ${stderr.trim()}`);
      return (Number(stdout) * bytesInKilobyte) / 1e6;
    };
    try {
      const runs = 5;
      const kernel = [join(dist, 'index.cjs'), home, root];
      const { a, b } = await interleave(
        { runs, warmUps: 1 },
        () => megabytes(kernel),
        () => megabytes([]),
      );
      return benchLine(idle, { value: a, runs, peer: 'bare Node', peerValue: b });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
};

/** A plugin process after calls with a pause behind each, as many as are given. */
function pluginBench(target: Target, calls: number): Bench {
  return {
    ...target,
    run: async (context) => {
      const { store, record } = await context.echo();
      const input = JSON.stringify({ text: 'every tool is a component. '.repeat(40) });
      const afterCalls = async (): Promise<number> => {
        await using child = new PluginProcess({
          bundle: processBundle,
          roots: {},
          withheld: {},
          sandbox: createProcessSandbox('auto'),
          startTimeoutMs: defaultLimits.startTimeoutMs,
        });
        child.load({
          open: { ...openMessage(record, defaultLimits), protectedPaths: {} },
          files: () => store.read(record),
        });
        for (let call = 0; call < calls; call += 1) {
          const message = { tool: 'text', input, effect: 'pure', denied: {} } as const;
          const { outcome } = await child.call(message, { signal: new AbortController().signal });
          if (outcome !== 'ok') throw new Error(`the echo ended with "${outcome}"`);
          await pause(2);
        }
        return residentMegabytes(child.pid);
      };
      const runs = 5;
      const { a } = await interleave({ runs, warmUps: 0 }, afterCalls, undefined);
      return benchLine(target, { value: a, runs, note: `after ${calls} calls` });
    },
  };
}

/** Of the process and what it started: in a sandbox Node is a child of what sets that up. */
function residentMegabytes(pid: number | string | undefined): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  const below = children.filter(Boolean).map((child) => residentMegabytes(child));
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} tells no VmRSS`);
  return below.reduce((sum, each) => sum + each, (Number(kilobytes) * bytesInKilobyte) / 1e6);
}

export const rssBenches: readonly Bench[] = [
  rssIdle,
  pluginBench({ name: 'rss.plugin', unit: 'MB', reach: '< 65 MB' }, 10),
  // Each call leaves a dead instance behind: this shows whether they are collected.
  pluginBench({ name: 'rss.plugin.long', unit: 'MB', reach: 'reported' }, 200),
];
