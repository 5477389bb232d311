import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeDeclarations } from './declarations.ts';
import { packedPlaces, publishedManifest } from './published-manifest.ts';
import { writeSdkPackage } from './sdk-package.ts';

/**
 * `npm run tarballs [DIR]` writes the tarballs of cuervo and of its SDK, and prints their paths.
 * `npm pack` starts it with `--before` and `--after`: npm reads a package.json in between that says
 * what is installed, which is less than a clone needs.
 */
const root = resolve(import.meta.dirname, '../../..');
const manifest = join(root, 'package.json');
const kept = join(root, 'dist/package.json.clone');
const [first = '.'] = process.argv.slice(2);

if (first === '--before') before();
else if (first === '--after') restore();
else packAll(resolve(first));

function before(): void {
  restore();
  execFileSync(process.execPath, [join(root, 'src/build/main.ts')], { stdio: ['ignore', 2, 2] });
  writeDeclarations({ root, entries: ['src/index.ts'], out: join(root, 'dist/types') });
  const published = `${JSON.stringify(publishedManifest(root), null, 2)}\n`;
  copyFileSync(manifest, kept);
  writeFileSync(`${manifest}.next`, published);
  renameSync(`${manifest}.next`, manifest);
}

/** Also of a pack that was cut off. */
function restore(): void {
  if (existsSync(kept)) renameSync(kept, manifest);
}

/** Packs copies, so that no other process reads a changed package.json in the clone. */
function packAll(out: string): void {
  mkdirSync(out, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-pack-'));
  try {
    const copy = join(folder, 'cuervo');
    for (const name of packedPlaces())
      cpSync(join(root, name), join(copy, name), { recursive: true });
    writeDeclarations({ root, entries: ['src/index.ts'], out: join(copy, 'dist/types') });
    const published = `${JSON.stringify(publishedManifest(root), null, 2)}\n`;
    writeFileSync(join(copy, 'package.json'), published);
    writeSdkPackage(root, join(folder, 'sdk'));
    for (const name of ['cuervo', 'sdk']) {
      const args = ['pack', '--silent', '--pack-destination', out];
      const cwd = join(folder, name);
      const file = execFileSync('npm', args, { cwd, encoding: 'utf8' }).trim();
      console.log(join(out, file));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
