import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a package manager is started, and how it installs a tarball. */
export type Manager = {
  name: string;
  /** the package that the manager comes in */
  package: string;
  /** path of its program in that package */
  bin: string;
  /** @returns program and words that start cuervo afterwards, in any folder */
  global?(run: Run, tarball: string, folder: string): string[];
  local(run: Run, tarball: string, folder: string): string[];
  /** program and words that install and start at once */
  once?(self: readonly string[], tarball: string): string[];
};

/** Runs the manager with these words in a folder. @throws with what it printed */
export type Run = (words: readonly string[], cwd: string, env?: NodeJS.ProcessEnv) => void;

const project = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"project","version":"1.0.0"}\n');
  return folder;
};
const localBin = (folder: string): string[] => [join(folder, 'node_modules/.bin/cuervo')];

const npm: Manager = {
  name: 'npm',
  package: 'npm',
  bin: 'bin/npm-cli.js',
  global: (run, tarball, folder) => {
    run(['install', '--global', '--prefix', folder, '--prefer-offline', tarball], '/');
    return [join(folder, 'bin/cuervo')];
  },
  local: (run, tarball, folder) => {
    run(['install', '--prefer-offline', tarball], project(folder));
    return localBin(folder);
  },
  once: (self, tarball) => [
    ...self,
    'exec',
    '--yes',
    '--prefer-offline',
    '--package',
    tarball,
    '--',
    'cuervo',
  ],
};

const pnpm: Manager = {
  name: 'pnpm',
  package: 'pnpm@10.20.0',
  bin: 'bin/pnpm.cjs',
  global: (run, tarball, folder) => {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const env = { PNPM_HOME: bin, PATH: `${bin}:${process.env.PATH}` };
    run(['add', '--global', '--prefer-offline', tarball], '/', env);
    return [join(bin, 'cuervo')];
  },
  local: (run, tarball, folder) => {
    run(['add', '--prefer-offline', tarball], project(folder));
    return localBin(folder);
  },
  once: (self, tarball) => [...self, '--package', tarball, 'dlx', 'cuervo'],
};

const yarn: Manager = {
  name: 'yarn',
  package: 'yarn@1.22.22',
  bin: 'bin/yarn.js',
  global: (run, tarball, folder) => {
    const words = ['--global-folder', join(folder, 'global'), '--prefix', folder];
    run(['global', 'add', `file:${tarball}`, ...words], '/');
    return [join(folder, 'bin/cuervo')];
  },
  local: (run, tarball, folder) => {
    run(['add', '--prefer-offline', `file:${tarball}`], project(folder));
    return localBin(folder);
  },
};

const berry: Manager = {
  name: 'yarn berry',
  package: '@yarnpkg/cli-dist@4.18.1',
  bin: 'bin/yarn.js',
  local: (run, tarball, folder) => {
    project(folder);
    writeFileSync(
      join(folder, '.yarnrc.yml'),
      'nodeLinker: node-modules\nenableTelemetry: false\n',
    );
    writeFileSync(join(folder, 'yarn.lock'), '');
    run(['add', `cuervo@file:${tarball}`], folder);
    return localBin(folder);
  },
};

export const managers: readonly Manager[] = [npm, pnpm, yarn, berry];

/** @throws with the last of what was printed, where it failed */
export function checked(ran: SpawnSyncReturns<string>, what: string): string {
  if (ran.status === 0) return ran.stdout;
  const tail = `${ran.stdout}${ran.stderr}${ran.error ?? ''}`.slice(-2_000);
  throw new Error(`${what} ended with ${ran.status ?? ran.signal}: ${tail}`);
}

/** @param self program and first words of the manager */
export function runOf([program = '', ...first]: readonly string[], env: NodeJS.ProcessEnv): Run {
  return (words, cwd, more = {}) =>
    void checked(
      spawnSync(program, [...first, ...words], {
        cwd,
        env: { ...env, ...more, ...(more.PATH ? { PATH: `${more.PNPM_HOME}:${env.PATH}` } : {}) },
        encoding: 'utf8',
      }),
      `${program} ${words.join(' ')}`,
    );
}
