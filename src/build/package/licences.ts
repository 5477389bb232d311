import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** Packages that are in the tarball and in no bundle: engines inside of components, copied files. */
const besides = [
  'componentize-qjs',
  'better-sqlite3',
  '@bytecodealliance/jco-transpile',
  'valibot',
  '@valibot/to-json-schema',
];

const packageOf = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;
const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * The licences of all code of others that the bundles hold.
 *
 * @param root folder of `node_modules`
 * @param bundles what esbuild says of each, with paths below `root`
 * @throws where a package states no licence
 */
export function licencesOf(root: string, bundles: readonly Metafile[]): string {
  const folders = new Map(besides.map((name) => [join('node_modules', name), name]));
  for (const { inputs } of bundles) {
    for (const path of Object.keys(inputs)) {
      const found = packageOf.exec(path);
      if (found !== null) folders.set(found[1] as string, found[2] as string);
    }
  }
  const entries = [...folders].sort(([one], [other]) => (one < other ? -1 : 1));
  const head = 'Software of others that is part of cuervo, with its licences.\n';
  return [head, ...entries.map(([folder]) => sectionOf(join(root, folder)))].join('\n');
}

function sectionOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string };
  const files = readdirSync(folder).filter((file) => licenceFile.test(file));
  if (license === undefined && files.length === 0)
    throw new Error(`${name} ${version} states no licence: ${folder}`);
  const texts = files
    .map((file) => join(folder, file))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8').trim());
  const line = '='.repeat(80);
  return [line, `${name} ${version} (${license ?? 'see below'})`, line, '', ...texts, ''].join(
    '\n',
  );
}
