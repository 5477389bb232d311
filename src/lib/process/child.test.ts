import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Starts programs until there are no descriptors for the pipes of one more. */
const program = `
import { spawnChild } from ${JSON.stringify(join(import.meta.dirname, 'child.ts'))};
const children = [];
let failed;
for (let count = 0; failed === undefined && count < 400; count += 1) {
  const child = spawnChild('/bin/cat', [], { stdio: ['pipe', 'pipe', 'ignore', 'pipe'] });
  children.push(child);
  if (child.pid === undefined) failed = child;
}
failed.stdin.end('lost');
let told = '';
failed.stdio[3].on('data', (chunk) => { told += chunk; });
failed.once('error', ({ code }) => {
  failed.once('close', () => {
    process.stdout.write(JSON.stringify({ code, told, stderr: failed.stderr }));
    for (const child of children) child.kill('SIGKILL');
  });
});`;

it.skipIf(process.platform === 'win32')(
  'spawnChild() gives a child pipes, and the error of the system, where no more files may be open',
  async () => {
    const args = ['-c', 'ulimit -n 400; exec "$0" "$@"', process.execPath];
    const script = ['--no-warnings', '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)('/bin/sh', [...args, ...script]);
    expect(JSON.parse(stdout)).toEqual({ code: 'EMFILE', told: '', stderr: null });
  },
);
