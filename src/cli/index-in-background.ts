import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Kernel } from '../kernel.ts';
import { note } from './output.ts';

const nicely = 10;

/**
 * Starts a process that makes an index of the files where there are many, and keeps it up with them
 * while somebody asks. It goes on when this one ends.
 *
 * @param options.isLong this process stays: one that watches an index is worth it
 */
export async function indexInBackground(
  kernel: Kernel,
  options: { isLong?: boolean; quiet?: boolean | undefined } = {},
): Promise<void> {
  // If the question could not be stored, the home cannot hold an index either.
  if (options.isLong !== true && !kernel.jobs.isStoreOpen()) return;
  const wants = await kernel.index.wantsWatch();
  if (wants === 'no' || (wants === 'index' && options.isLong !== true)) return;
  const { paths, workspace, home } = kernel.config;
  const args = ['index', '--watch', '--until-idle', '--workspace', workspace];
  const child = spawn(process.execPath, [join(paths.dist, 'cuervo.cjs'), ...args], {
    cwd: home,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, CUERVO_HOME: home },
  });
  // Without it, searches look into every file as before.
  child.on('error', () => {});
  child.unref();
  try {
    setPriority(child.pid ?? 0, nicely);
  } catch {
    // Ignored: the process has ended, or this system cannot lower its priority.
  }
  if (wants === 'files' && options.quiet !== true)
    note(
      'note: an index of these files is made in the background, for faster searches; index = "off" in config.toml prevents it',
    );
}
