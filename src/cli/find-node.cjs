// Looks for a Node that is new enough. Each one found is about to be run with the person's authority,
// so it must lie where nobody else could have put it.
'use strict';
const { spawnSync } = require('node:child_process');
const {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} = require('node:fs');
const { homedir, userInfo } = require('node:os');
const { delimiter, dirname, isAbsolute, join, resolve, sep } = require('node:path');
const isOwn = require('./is-own.cjs');

const program = process.platform === 'win32' ? 'node.exe' : 'node';
const probeTimeoutMs = 10_000;

/**
 * The first Node that is new enough: the one that `cuervo add node` brought, the one of a clone, those
 * of `PATH`.
 *
 * @param {number} needed major version
 * @returns {{ node?: string, passedOver: string[] }} absolute, real; with what may not be searched
 */
module.exports = function findNode(needed) {
  const passedOver = [];
  const added = addedNode(needed, passedOver);
  if (added !== undefined) return { node: added, passedOver };
  const found = cloneNode();
  if (found !== undefined && realNode(found, needed) !== undefined)
    return { node: found, passedOver };
  const workspace = workspaceFolder();
  for (const folder of (process.env.PATH || '').split(delimiter)) {
    if (folder === '') continue;
    const candidate = join(folder, program);
    if (isAbsolute(folder) && !existsSync(candidate)) continue;
    const refused = whyNot(folder, workspace);
    if (refused !== undefined) {
      passedOver.push(`no Node is taken from ${JSON.stringify(folder)} of PATH, ${refused}`);
      continue;
    }
    const node = realNode(candidate, needed);
    if (node === undefined) continue;
    const elsewhere = whyNot(dirname(node), workspace) || (isOwn(node) ? undefined : others);
    if (elsewhere === undefined) return { node, passedOver };
    passedOver.push(`${node} of PATH is not used, ${elsewhere}`);
  }
  return { passedOver };
};

const others = 'which others can write';

/** @returns the second half of a sentence; undefined where programs may be taken from */
function whyNot(folder, workspace) {
  if (!isAbsolute(folder)) return 'which is relative';
  const names = folder.split(sep);
  if (names.includes('node_modules')) return 'which belongs to a project';
  const real = realOr(folder);
  if (real.split(sep).includes('node_modules')) return 'which belongs to a project';
  if (workspace !== undefined && [folder, real].some((each) => isIn(each, workspace)))
    return 'which is in the workspace';
  return isOwn(real) && isOwn(folder) ? undefined : others;
}

/** A shim answers which program it stands for, asked where no project says another one. */
function realNode(candidate, needed) {
  const ran = spawnSync(candidate, ['-p', 'process.execPath + "\\n" + process.versions.node'], {
    cwd: '/',
    encoding: 'utf8',
    env: { HOME: homeFolder(), PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: probeTimeoutMs,
  });
  const [path = '', version = ''] = (ran.stdout || '').split('\n');
  if (ran.status !== 0 || !isAbsolute(path)) return undefined;
  return Number(version.split('.')[0]) >= needed ? realOr(path) : undefined;
}

/**
 * The Node of `cuervo add node`, unchanged since it was checked; see `part-folder.ts`. Its package
 * says its version, which costs less than starting it to ask.
 */
function addedNode(needed, passedOver) {
  const home = process.env.CUERVO_HOME || join(homeFolder(), '.cuervo');
  const packages = resolve(home, 'packages');
  if (!existsSync(packages)) return undefined;
  for (const name of readdirSync(packages).filter((each) => each.startsWith('node@'))) {
    const folder = join(packages, name);
    const rows = readRows(join(folder, 'files.json'));
    const row = rows.find(({ path }) => path.endsWith('/bin/node'));
    if (row === undefined) continue;
    const node = join(folder, row.path);
    if (!isOwn(node)) passedOver.push(`${node} is not used, ${others}`);
    else if (isUntouched(node, row.stamp) || isCopy(node, row, () => keepRows(folder, rows))) {
      if (majorOf(join(dirname(node), '..', 'package.json')) >= needed) return node;
    } else passedOver.push(`${node} is not used: it was changed; run: cuervo remove node`);
  }
  return undefined;
}

function readRows(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return [];
  }
}

function majorOf(manifest) {
  try {
    return Number(JSON.parse(readFileSync(manifest, 'utf8')).version.split('.')[0]);
  } catch {
    return 0;
  }
}

function isUntouched(path, stamp) {
  return stampOf(path).join() === stamp.join();
}

function stampOf(path) {
  const { size, ino, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
  return [Number(size), `${ino}`, `${mtimeNs}`, `${ctimeNs}`];
}

/** A copied or restored home has the same bytes in another file, which is read this once. */
function isCopy(path, row, keep) {
  const { createHash } = require('node:crypto');
  if (createHash('sha256').update(readFileSync(path)).digest('hex') !== row.sha256) return false;
  row.stamp = stampOf(path);
  keep();
  return true;
}

function keepRows(folder, rows) {
  const path = join(folder, 'files.json');
  const made = `${path}.${process.pid}`;
  try {
    writeFileSync(made, `${JSON.stringify(rows)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(made, path);
  } catch {
    // A read-only home: the file is read again next time.
  }
}

/** Beside the launcher lies what `npm ci` put there with it. */
function cloneNode() {
  const own = join(__dirname, '..', 'node_modules', '.bin', program);
  return existsSync(own) ? realOr(own) : undefined;
}

/**
 * The nearest folder of a repository, or the current one. A home, and what is above one, is nobody's
 * repository: people keep their own programs there.
 */
function workspaceFolder() {
  const start = currentFolder();
  if (start === undefined) return undefined;
  let found = start;
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || existsSync(join(at, 'cuervo.toml'))) {
      found = at;
      break;
    }
    if (dirname(at) === at) break;
  }
  return isIn(realOr(homeFolder()), found) ? undefined : found;
}

/** @returns undefined where it was removed */
function currentFolder() {
  try {
    return realpathSync(process.cwd());
  } catch {
    return undefined;
  }
}

function isIn(path, folder) {
  return path === folder || path.startsWith(folder === sep ? sep : folder + sep);
}

function realOr(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function homeFolder() {
  try {
    return homedir() || userInfo().homedir;
  } catch {
    return sep;
  }
}
