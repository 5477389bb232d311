import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bytesBelow, type NpmLock, placeOf } from './part-lock.ts';

/**
 * `npm run size:clone`: prints what each package that a contributor installs costs on the disk, with
 * what no other one brings, and the whole.
 */
const root = resolve(import.meta.dirname, '../..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as NpmLock;
const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as { dependencies: Record<string, string>; devDependencies: Record<string, string> };
const roots = Object.keys({ ...dependencies, ...devDependencies });

const whole = placesFrom(roots);
const costs = roots.map((name) => {
  const others = placesFrom(roots.filter((each) => each !== name));
  return { name, ...sizeOf([...whole].filter((place) => !others.has(place))) };
});
costs.sort((one, other) => other.bytes - one.bytes);
for (const { name, bytes, packages } of costs.slice(0, 10))
  console.log(
    `${mib(bytes)}  ${name}${packages > 1 ? `, with ${packages - 1} that it alone brings` : ''}`,
  );
console.log(`${mib(sizeOf([...whole]).bytes)}  all of node_modules`);

/** Where the packages lie that these bring. */
function placesFrom(names: readonly string[]): Set<string> {
  const places = new Set<string>();
  const add = (from: string, name: string): void => {
    const place = placeOf(from, name, lock);
    const entry = place === undefined ? undefined : lock.packages[place];
    if (place === undefined || entry === undefined || places.has(place)) return;
    places.add(place);
    for (const each of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      add(place, each);
  };
  for (const name of names) add('', name);
  return places;
}

/** Only those of this system are installed. */
function sizeOf(places: readonly string[]): { bytes: number; packages: number } {
  const installed = places.map((place) => join(root, place)).filter((path) => existsSync(path));
  const inner = (path: string): number =>
    existsSync(join(path, 'node_modules')) ? bytesBelow(join(path, 'node_modules')) : 0;
  const bytes = installed.reduce((sum, path) => sum + bytesBelow(path) - inner(path), 0);
  return { bytes, packages: installed.length };
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`.padStart(8);
}
