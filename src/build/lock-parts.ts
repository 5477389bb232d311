import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fetch from 'npm-registry-fetch';
import type { LockedPackage, PartLocks } from '../lib/parts/part-lock.ts';
import { type PartName, parts } from '../lib/parts/parts.ts';
import { readNpmConfig } from '../packages/registry.ts';
import { listTarball } from '../packages/unpack-tarball.ts';
import { isSame, type NpmLock, type WantedPackage, wantedPackages } from './part-lock.ts';

/**
 * `npm run lock`: writes which packages make each part of `cuervo add`, from package-lock.json. A
 * package that is not yet in it is fetched, for its sizes. One that the registry does not have is
 * left out: its system then lacks that part.
 */
const root = resolve(import.meta.dirname, '../..');
const path = join(root, 'src/lib/parts/part-lock.json');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as NpmLock;
const before = (JSON.parse(readFileSync(path, 'utf8')) as { parts: PartLocks }).parts;
const registry = await readNpmConfig({ HOME: homedir() });
const folder = mkdtempSync(join(tmpdir(), 'cuervo-lock-'));

const locked: Record<string, LockedPackage[]> = {};
for (const [part, wanted] of Object.entries(wantedPackages(lock))) {
  locked[part] = [];
  for (const each of wanted) {
    const known = before[part]?.find((other) => isSame(each, other));
    const found = known ?? (await measure(part as PartName, each));
    if (found !== undefined) locked[part].push(found);
  }
}
rmSync(folder, { recursive: true });
writeFileSync(path, `${JSON.stringify({ parts: locked }, null, 2)}\n`);
console.log(`wrote ${path}`);

/** @returns undefined where the registry does not have it */
async function measure(part: PartName, wanted: WantedPackage): Promise<LockedPackage | undefined> {
  const { name, version } = wanted;
  const url = `${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
  const tarball = join(folder, 'package.tgz');
  try {
    const response = await fetch(url, { ...registry, cache: undefined } as never);
    writeFileSync(tarball, await response.buffer());
  } catch (thrown) {
    if ((thrown as { statusCode?: number }).statusCode !== 404) throw thrown;
    console.log(`${part}: the registry has no ${name} ${version}`);
    return undefined;
  }
  const bytes = readFileSync(tarball);
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (wanted.integrity !== undefined && wanted.integrity !== integrity)
    throw new Error(`the registry gave other bytes as ${name} ${version}`);
  // A lock for all systems is measured by one of them.
  const isOne = wanted.os?.length === 1;
  const system = isOne
    ? { os: wanted.os?.[0] ?? '', cpu: wanted.cpu?.[0] ?? '' }
    : { os: 'linux', cpu: 'x64' };
  const keeps = parts[part].keeps?.[name] ?? (() => true);
  const listed = await listTarball(tarball, {
    name,
    keeps: (path) => keeps(path, system),
    maxBytes: Number.POSITIVE_INFINITY,
  });
  console.log(`${part}: ${name} ${version}, ${bytes.length} bytes`);
  return { ...wanted, integrity, bytes: bytes.length, unpackedBytes: listed.bytes };
}
