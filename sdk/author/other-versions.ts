import { join } from 'node:path';
import { readIfPresent } from '../languages/read-if-present.ts';

/** The version of a package beside a plugin, as the manifest of its language says it. */
const manifests: Readonly<Record<string, (text: string) => string | undefined>> = {
  'package.json': (text) => {
    try {
      const { version } = Object(JSON.parse(text)) as { version?: unknown };
      return typeof version === 'string' ? version : undefined;
    } catch {
      return undefined;
    }
  },
  'Cargo.toml': (text) => packageVersion.exec(text)?.[1],
  'pyproject.toml': (text) => projectVersion.exec(text)?.[1],
};
const packageVersion = /^\[package\][^[]*?^version\s*=\s*"([^"]*)"/m;
const projectVersion = /^\[project\][^[]*?^version\s*=\s*"([^"]*)"/m;

/** Says where a file names another version than the plugin itself, which users see. */
export function otherVersions(folder: string, version: string): string[] {
  return Object.entries(manifests).flatMap(([name, read]) => {
    const other = read(readIfPresent(join(folder, name)) ?? '');
    if (other === undefined || other === version) return [];
    return [
      `${name} says version ${other}, and the plugin says ${version}, which is published: make them one`,
    ];
  });
}
