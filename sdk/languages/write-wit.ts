import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeWorld } from '../build/make-world.ts';
import type { Want } from '../define-plugin.ts';
import type { PluginToml } from './parse-plugin-toml.ts';
import { readIfPresent } from './read-if-present.ts';

/** The files of the contracts, as `wit-bindgen` and `componentize-py` look for them. */
const packages = ['host/host.wit', 'plugin/plugin.wit'];

/** Writes the plugin's own world, `plugin`, with the contracts as its dependencies. */
export function writeWit(options: { toml: PluginToml; witFolder: string; out: string }): void {
  const { toml, witFolder, out } = options;
  const { name, wants } = toml.manifest;
  for (const file of packages) {
    const target = join(out, 'deps', file);
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(join(witFolder, file), 'utf8');
    if (readIfPresent(target) !== text) writeFileSync(target, text);
  }
  const world = makeWorld(name, wants as readonly Want[]);
  const file = join(out, 'world.wit');
  // Not touched where it is the same: compilers build again what is younger.
  if (readIfPresent(file) !== world) writeFileSync(file, world);
}
