import { join } from 'node:path';

export type PartPlaces = {
  /** folder of cuervo's own package.json: a clone has every package in its `node_modules` */
  root: string;
  /** `CUERVO_HOME/packages`, absolute */
  packages: string;
};

/** Folder of a part that is being fetched; it stays for the next try after an interruption. */
export function partialFolder({ packages }: PartPlaces, name: string): string {
  return join(packages, `.partial-${name}`);
}

/** As `npm pack` names it: `@node-llama-cpp/linux-x64` -> `node-llama-cpp-linux-x64-3.22.1.tgz`. */
export function tarballName({ name, version }: { name: string; version: string }): string {
  return `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
}
