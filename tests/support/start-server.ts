import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Starts a server on a port that the system chooses, and waits until it prints which: a port that
 * was looked for before may be another's when the server comes to take it.
 *
 * @returns the process, and `127.0.0.1:PORT`
 * @throws with what it printed, when it ends before
 */
export async function startServer(
  program: string,
  args: readonly string[],
): Promise<{ child: ChildProcess; host: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const host = await new Promise<string>((listens, fails) => {
    const read = (chunk: Buffer): void => {
      printed = (printed + chunk).slice(-10_000);
      const [, found] =
        /(?:listening|Running) on (?:http:..)?(127\.0\.0\.1:\d+)/.exec(printed) ?? [];
      if (found !== undefined) listens(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', fails);
    child.once('close', (code) => fails(new Error(`${program} ended with ${code}: ${printed}`)));
  });
  return { child, host };
}
