import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reasonOf } from '../../contracts/error.ts';
import type { Finding } from '../../contracts/output/parse-setup.ts';
import { closedFlags } from '../../sandbox/engine-flags.ts';

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
