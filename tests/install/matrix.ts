import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { checked, type Manager, managers, runOf } from './support/managers.ts';
import { packTarballs } from './support/tarballs.ts';
import { cuervoAt, makeWorkspace, storyModel, uses } from './support/use-installed.ts';

/**
 * `npm run test:install [NODE…]`: installs the tarball with each package manager on each Node, global,
 * local and started at once, and uses what was installed. Cuervo runs on Node 26 alone, so beside an
 * older one lies a newer one at the end of PATH, as on machines of people.
 */
const nodes = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24', '26'];
// Not below /tmp, where others can write: a Node is not searched there.
const dir = realpathSync(mkdtempSync(join(homedir(), '.cuervo-install-')));
const newest = join(dir, 'newest');
const failures: string[] = [];

try {
  mkdirSync(newest, { mode: 0o755 });
  copyFileSync(process.execPath, join(newest, 'node'));
  const { cuervo: tarball } = packTarballs(dir);
  const tools = join(dir, 'tools');
  const packages = managers.map((manager) => manager.package);
  npmInstall(tools, packages);
  for (const node of nodes) {
    const nodeFolder = join(dir, `node-${node}`);
    npmInstall(nodeFolder, [`node@${node}`]);
    for (const manager of managers) tryManager({ manager, node, nodeFolder, tools, tarball });
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
if (storyModel === undefined) console.log('no GGUF answered: set CUERVO_TEST_MODELS');
for (const failure of failures) console.log(`FAILED  ${failure}`);
if (failures.length > 0) process.exitCode = 1;

function npmInstall(folder: string, packages: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const words = ['install', '--prefix', folder, '--prefer-offline', '--no-save', ...packages];
  checked(spawnSync('npm', words, { cwd: folder, encoding: 'utf8' }), `npm ${words.join(' ')}`);
}

type Cell = { manager: Manager; node: string; nodeFolder: string; tools: string; tarball: string };

function tryManager({ manager, node, nodeFolder, tools, tarball }: Cell): void {
  const program = join(nodeFolder, 'node_modules/node/bin/node');
  const name = manager.package.replace(/(?<=.)@.*$/, '');
  const self = [program, join(tools, 'node_modules', name, manager.bin)];
  const env = {
    ...process.env,
    PATH: [join(nodeFolder, 'node_modules/node/bin'), '/usr/bin', '/bin', newest].join(':'),
  };
  const run = runOf(self, env);
  const ways = {
    global: manager.global?.bind(null, run),
    local: manager.local.bind(null, run),
    once: manager.once === undefined ? undefined : () => manager.once?.(self, tarball) ?? [],
  };
  for (const [way, install] of Object.entries(ways)) {
    if (install === undefined) continue;
    const cell = `${manager.name} ${way} on Node ${node}`;
    const folder = join(dir, 'cell');
    mkdirSync(folder);
    const startedMs = performance.now();
    try {
      useInstalled(cell, install(tarball, join(folder, 'place')), folder, env);
      console.log(`ok      ${cell} (${Math.round((performance.now() - startedMs) / 1000)} s)`);
    } catch (thrown) {
      failures.push(`${cell}: ${thrown instanceof Error ? thrown.message : thrown}`);
      console.log(`FAILED  ${cell}`);
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws where a use fails, with what it printed */
function useInstalled(
  cell: string,
  start: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): void {
  const home = { ...env, CUERVO_HOME: join(folder, 'home') };
  const cuervo = cuervoAt(start, { cwd: makeWorkspace(join(folder, 'work')), env: home });
  for (const { name, words, prints } of uses()) {
    const { status, stdout, stderr } = cuervo(words);
    if (status === 0 && prints.test(stdout)) continue;
    throw new Error(
      `${cell} ${name}: exit ${status}: ${stdout.slice(-500)}${stderr.slice(-1_000)}`,
    );
  }
}
