import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { buildBuiltins, prune } from './builtins.ts';
import { bundle } from './bundle.ts';
import { writeSdkPackage } from './package/sdk-package.ts';
import { rehearseProgram } from './rehearse-program.ts';

/** `npm ci` ends here: bundles, built-in plugins, and `npx cuervo` in the clone itself. */
const root = resolve(import.meta.dirname, '../..');
const startedMs = performance.now();

if (Number(process.versions.node.split('.')[0]) < 26) {
  console.error(`cuervo is built with Node 26; this is ${process.version}. Run: npm ci`);
  process.exit(1);
}
prune(root);
await bundle(root);
await buildBuiltins(root);
keepSdk(join(root, 'dist', 'sdk'));
await keepRehearsed(join(root, 'dist'));
linkBin();
console.log(`built in ${Math.round(performance.now() - startedMs)} ms`);

/** Replaces the bundle's code cache by one that holds all functions, called or not. */
async function keepRehearsed(dist: string): Promise<void> {
  const code = await rehearseProgram(dist);
  if (code === undefined) return;
  const file = join(dist, 'process.main.code');
  // A process that starts meanwhile reads the old file or the new one.
  writeFileSync(`${file}.next`, code);
  renameSync(`${file}.next`, file);
}

/** Types of the SDK for editors of authors; made again when the SDK has changed. */
function keepSdk(folder: string): void {
  const names = readdirSync(join(root, 'sdk'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const hash = createHash('sha256');
  for (const name of [...names.map((each) => `sdk/${each}`), 'package.json'])
    hash.update(name).update(readFileSync(join(root, name)));
  const digest = hash.digest('hex');
  const stamp = join(folder, 'made-of');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  const next = mkdtempSync(`${folder}.next-`);
  writeSdkPackage(root, next, { whole: true });
  writeFileSync(join(next, 'made-of'), digest);
  // Another build may do the same at the same time, and either is right.
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(next, folder);
  } catch {
    rmSync(next, { recursive: true, force: true });
  }
}

/** npm links the bins of dependencies, not of the package itself. */
function linkBin(): void {
  const folder = join(root, 'node_modules', '.bin');
  if (!existsSync(folder) || process.platform === 'win32') return;
  mkdirSync(folder, { recursive: true });
  const link = join(folder, 'cuervo');
  rmSync(link, { force: true });
  symlinkSync('../../dist/cuervo.cjs', link);
  chmodSync(join(root, 'dist', 'cuervo.cjs'), 0o755);
}
