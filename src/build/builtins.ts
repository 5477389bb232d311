import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildPlugin } from '../../sdk/build/build-plugin.ts';
import { installPlugin } from '../host/install/install-plugin.ts';
import { componentFile } from '../host/install/plugin-record.ts';
import { openPluginStore } from '../host/install/plugin-store.ts';
import { transpilerVersion } from '../host/install/prepare-plugin.ts';
import { defaultLimits } from '../host/limits.ts';
import { createProcessSandbox } from '../sandbox/process-sandbox.ts';
import { makeReadable } from './make-readable.ts';

/**
 * Builds `plugins/*` like anybody's and installs them into `dist/builtin`. Does nothing when
 * their sources, the SDK, the contracts and the bundles are those of the last time.
 */
export async function buildBuiltins(root: string): Promise<void> {
  const out = join(root, 'dist', 'builtin');
  const stamp = join(out, 'stamp');
  const state = digestOf(root, [
    'plugins',
    'sdk',
    'wit',
    'package-lock.json',
    'dist/transpile.js',
    'src/sandbox/engine-flags.ts',
    'src/host/install/component',
    'src/host/install/packed-files.ts',
    'src/build/make-readable.ts',
  ]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  // Built beside and put in place at the end: a cuervo that runs meanwhile keeps its plugins.
  const next = `${out}.${process.pid}`;
  mkdirSync(next, { recursive: true });
  // Only its digest is needed; what it was taken apart into is read at each start.
  const store = openPluginStore(next, { packs: [componentFile] });
  const names = readdirSync(join(root, 'plugins')).filter((name) =>
    existsSync(join(root, 'plugins', name, 'plugin.ts')),
  );
  await Promise.all(
    names.map(async (name) => {
      const built = await buildPlugin({
        folder: join(root, 'plugins', name),
        out: join(next, 'wasm', `${name}.wasm`),
        engine: 'quickjs',
        sdkFolder: join(root, 'sdk'),
        witFolder: join(root, 'wit'),
      });
      await installPlugin(readFileSync(built.file), 'built-in', store, {
        bundles: {
          process: join(root, 'dist', 'process.cjs'),
          transpile: join(root, 'dist', 'transpile.js'),
          wrap: join(root, 'dist', 'wrap.js'),
        },
        limits: defaultLimits,
        sandbox: createProcessSandbox('auto'),
        signal: new AbortController().signal,
        nowMs: 0,
      });
    }),
  );
  writeFileSync(join(next, 'stamp'), state);
  makeReadable(next);
  rmSync(out, { recursive: true, force: true });
  renameSync(next, out);
}

function digestOf(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256').update(transpilerVersion).update(process.version);
  const add = (path: string): void => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      const names = readdirSync(path).filter(
        (name) => name !== 'dist' && !name.endsWith('.test.ts'),
      );
      for (const name of names.sort()) add(join(path, name));
      return;
    }
    hash.update(path).update('\0').update(readFileSync(path));
  };
  for (const path of paths) add(join(root, path));
  return hash.digest('hex');
}
