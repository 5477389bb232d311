import { existsSync, readdirSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { expandHome } from '../../lib/files/paths.ts';
import { readModelFolder } from '../../models/onnx/parse-model-folder.ts';

export function modelsFolder({ home }: Pick<Config, 'home'>): string {
  return join(home, 'models');
}

export function isGguf(path: string): boolean {
  return path.toLowerCase().endsWith('.gguf');
}

/**
 * A plain name means a folder in `CUERVO_HOME/models`; with a separator it is a path from
 * `CUERVO_HOME`.
 */
export function modelPath({ home }: Pick<Config, 'home'>, setting: string): string {
  const isPath = setting.includes('/') || setting.includes(sep);
  return resolve(home, isPath ? '.' : 'models', expandHome(setting));
}

/** The embedder's own model, else the first sentence model by name that can be used. */
export function sentenceFolder(config: Pick<Config, 'home' | 'memory'>): string | undefined {
  const { embedder } = config.memory;
  const folder = modelsFolder(config);
  const folders =
    embedder !== 'static'
      ? [modelPath(config, embedder)]
      : existsSync(folder)
        ? readdirSync(folder)
            .sort()
            .map((name) => join(folder, name))
        : [];
  return folders.find((path) => {
    try {
      return readModelFolder(path).kind === 'sentence';
    } catch {
      return false; // something else lies there
    }
  });
}
