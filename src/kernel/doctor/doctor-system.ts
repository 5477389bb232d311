import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../../contracts/config.ts';
import { reasonOf } from '../../contracts/error.ts';
import type { Finding } from '../../contracts/output/parse-setup.ts';
import { wayOn } from '../../paths/open-name.ts';
import { closedFlags } from '../../sandbox/engine-flags.ts';
import { type PluginSandbox, pluginSandboxText } from '../../sandbox/plugin-sandbox.ts';
import { createProcessSandbox } from '../../sandbox/process-sandbox.ts';

const neededNode = 26;
const probeTimeoutMs = 10_000;

/** Prints the rights of a probe process under the flags of plugin processes. */
const probe = `
const { readFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const code = (work) => { try { work(); return 'done'; } catch (error) { return error.code; } };
const [inside, outside] = process.argv.slice(1);
process.stdout.write(JSON.stringify({
  inside: code(() => readFileSync(inside)),
  outside: code(() => readFileSync(outside)),
  program: code(() => spawnSync(process.execPath, ['--version'])),
}));`;

export function checkNode(version: string): Finding {
  const name = 'node';
  if (Number(/^v(\d+)/.exec(version)?.[1]) >= neededNode) {
    return { name, status: 'ok', finding: `${version}; ${neededNode} or later is needed` };
  }
  const finding = `${version} is too old; ${neededNode} or later is needed`;
  return { name, status: 'fail', finding, fix: `npm install node@${neededNode}` };
}

/** Says where temporary files go if they do not go where they should. */
export function checkTempFolder(home: string): Finding[] {
  const own = join(home, 'tmp');
  if (tmpdir() !== own) return [];
  const finding = `the system's temporary folder cannot be used, so cuervo uses ${own}`;
  return [{ name: 'temporary folder', status: 'warn', finding, fix: 'export TMPDIR=DIR' }];
}

/** Starts a process as plugins are confined, and sees it denied what lies outside. */
export async function checkPluginProcess(): Promise<Finding> {
  const name = 'plugin process';
  const fix = `npm install node@${neededNode}`;
  let folder: string | undefined;
  try {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-doctor-')));
    const [inside, outside] = [join(folder, 'inside'), join(folder, 'outside')];
    for (const path of [inside, outside]) writeFileSync(path, 'probe');
    const flags = ['--permission', ...closedFlags, `--allow-fs-read=${inside}`, '--no-warnings'];
    const { stdout: printed } = await promisify(execFile)(
      process.execPath,
      [...flags, '-e', probe, inside, outside],
      { timeout: probeTimeoutMs, env: {}, cwd: '/' },
    );
    const expected = { inside: 'done', outside: 'ERR_ACCESS_DENIED', program: 'ERR_ACCESS_DENIED' };
    if (printed === JSON.stringify(expected)) {
      const finding = 'a probe read its own file, and was denied another file and another program';
      return { name, status: 'ok', finding };
    }
    return { name, status: 'fail', finding: `a probe was not confined: ${printed}`, fix };
  } catch (thrown) {
    return { name, status: 'fail', finding: `a probe did not run: ${reasonOf(thrown)}`, fix };
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Starts Node as plugins are started, and tells what they are confined by.
 *
 * @param setting `plugins.sandbox` of the configuration
 */
export function* checkPluginSandbox(
  setting: Config['pluginSandbox'],
): Generator<Finding, void, undefined> {
  const tier = createProcessSandbox(setting).probe();
  yield describePluginSandbox(tier);
  yield checkUser(process.geteuid?.(), tier.name);
}

function describePluginSandbox(tier: PluginSandbox): Finding {
  const name = 'plugin sandbox';
  const finding = `plugins are confined by ${pluginSandboxText(tier)}`;
  if (tier.name === 'os') return { name, status: 'ok', finding };
  return {
    name,
    status: 'warn',
    finding: `${finding}; native code of a plugin could signal your other processes`,
    ...(tier.fix === undefined ? {} : { fix: tier.fix }),
  };
}

/**
 * The cost of running cuervo as root.
 *
 * @param user number of the user; undefined on systems without users
 * @param tier of plugin processes
 */
export function checkUser(user: number | undefined, tier: PluginSandbox['name']): Finding {
  const name = 'user';
  if (user !== 0) return { name, status: 'ok', finding: 'cuervo does not run as root' };
  const costs = [
    'the kernel treats what cuervo starts as root, and only the sandbox keeps it from the files and settings of the whole machine',
    ...(tier === 'os' ? [] : ['native code of a plugin or a model has no sandbox around it']),
    'the limit on processes holds only where control groups can be made',
  ];
  const fix = 'adduser cuervo && su - cuervo';
  return { name, status: 'warn', finding: `cuervo runs as root: ${costs.join('; ')}`, fix };
}

/**
 * How files below a granted folder are reached, and what that leaves open.
 *
 * @param platform as `process.platform`
 * @param descriptors the folder in which Linux lists what a process has open
 */
export function checkPaths(platform: string, descriptors = '/proc/self/fd'): Finding {
  const name = 'paths';
  if (wayOn(platform) === 'path') {
    const finding = `${platform} cannot look up a name in an open folder: cuervo checks paths before and after each step, and may miss a program that swaps a folder for a link in between`;
    return { name, status: 'warn', finding, fix: 'run cuervo on Linux, in WSL 2 for instance' };
  }
  if (existsSync(descriptors)) {
    const finding =
      'cuervo looks up each name in the open folder, so a swapped link changes nothing';
    return { name, status: 'ok', finding };
  }
  const finding = `${descriptors} is missing, so no plugin can read or write a file`;
  return { name, status: 'fail', finding, fix: 'mount -t proc proc /proc' };
}
