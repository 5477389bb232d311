import { spawn } from 'node:child_process';
import type { Place } from './place.ts';

export type Shell = { stdout: string; stderr: string; code: number | null };

/** Runs a script of bash in the workspace of a place. */
export async function shell(
  script: string,
  { work, home }: Place,
  env: Readonly<Record<string, string>> = {},
): Promise<Shell> {
  const child = spawn('bash', ['-c', script], {
    cwd: work,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    ran.stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    ran.stderr += chunk;
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { ...ran, code };
}
