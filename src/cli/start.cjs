// Turns on the cache of what Node compiled, in a folder that nobody else can write, and loads the
// program.
'use strict';
const { existsSync, mkdirSync, statfsSync } = require('node:fs');
const { constants, enableCompileCache, getCompileCacheDir } = require('node:module');
const { homedir, userInfo } = require('node:os');
const { join, resolve } = require('node:path');
const isOwn = require('./is-own.cjs');
const { keepFor, useFolder } = require('./kept-code.cjs');
const { load } = require('./parts.cjs');

// Node follows this variable before any line of a program runs, runs what lies in that folder, and
// cannot be told to stop. So the process starts again without it.
if (process.env.NODE_COMPILE_CACHE !== undefined) {
  delete process.env.NODE_COMPILE_CACHE;
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const isFollowed = getCompileCacheDir() !== undefined;
  // Windows has no such call.
  if (isFollowed && process.platform !== 'win32')
    process.execve(process.execPath, args, process.env);
}

/** The cache takes some MB, which must not be the last ones. */
const minFreeBytes = 64 * 1024 * 1024;

const compiled = compiledFolder();
const cache = compiled === undefined ? undefined : enableCompileCache(compiled);
// A folder in that one, for this engine and its flags.
if (cache?.status === constants.compileCacheStatus.ENABLED) useFolder(getCompileCacheDir());
const { commandName } = load('main.js');
keepFor(commandName());

/**
 * @returns undefined while there is no home, on a disk that is nearly full, and where others can write:
 *   cuervo starts slower then
 */
function compiledFolder() {
  try {
    // As `findHome()` says.
    const home = process.env.CUERVO_HOME || join(homedir() || userInfo().homedir, '.cuervo');
    const folder = resolve(home, 'compiled');
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= minFreeBytes && isOwn(folder, { isPrivate: true })
      ? folder
      : undefined;
  } catch {
    return undefined;
  }
}
