import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Runs the escape suite as an ordinary user, without bubblewrap, or both: in a copy that belongs
 * to that user, and with the program hidden in a mount namespace of its own. Root alone can.
 *
 * `npm run test:escape:elsewhere -- [--user NUMBER] [--without-bubblewrap] [FILE…]`
 */
const root = resolve(import.meta.dirname, '../..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { user: { type: 'string' }, 'without-bubblewrap': { type: 'boolean' } },
});

const user = Number(values.user ?? 0);
if (process.getuid?.() !== 0 || !Number.isInteger(user)) {
  console.error(
    'usage, as root: npm run test:escape:elsewhere -- [--user NUMBER] [--without-bubblewrap] [FILE…]',
  );
  process.exit(2);
}

/** What the suite reads and builds, packages too: a sandbox shows no link that leads out of it. */
function copySuite(): string {
  const copy = mkdtempSync(join(tmpdir(), 'cuervo-elsewhere-'));
  chmodSync(copy, 0o755);
  for (const name of readdirSync(root).filter((one) => one !== '.git'))
    execFileSync('cp', ['-a', join(root, name), copy]);
  execFileSync('chown', ['-hR', `${user}:${user}`, copy]);
  return copy;
}

/** Programs ask for the name and the home of who runs them. It belongs to root, as everywhere. */
function nameUser(copy: string): string[] {
  const users = readFileSync('/etc/passwd', 'utf8');
  if (users.split('\n').some((line) => line.split(':')[2] === String(user))) return [];
  const file = join(copy, 'passwd');
  writeFileSync(file, `${users}elsewhere:x:${user}:${user}::${copy}:/bin/sh\n`);
  return [`mount --bind '${file}' /etc/passwd`];
}

/** A whiteout over the folder of the program: it is missing there, and nothing else is. */
const hide = [
  'if bwrap=$(command -v bwrap); then',
  '  mount -t tmpfs tmpfs /mnt',
  '  mkdir /mnt/none',
  '  mknod /mnt/none/bwrap c 0 0',
  '  folder=$(dirname "$bwrap")',
  '  mount -t overlay overlay -o "lowerdir=/mnt/none:$folder" "$folder"',
  'fi',
];

const copy = copySuite();
const test = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--project', 'escape'];
const asUser = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
const steps = [...nameUser(copy), ...(values['without-bubblewrap'] ? hide : [])];
const script = ['set -e', ...steps, 'exec "$@"'].join('\n');
try {
  const ended = spawnSync(
    '/usr/bin/unshare',
    ['--mount', 'sh', '-c', script, 'sh', ...asUser, ...test, ...positionals],
    {
      cwd: copy,
      stdio: 'inherit',
      env: { ...process.env, HOME: copy },
    },
  );
  process.exitCode = ended.status ?? 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
