// Keeps what the engine made of the functions that a command called, so that the next one compiles
// nothing: Node's own cache holds no function that is compiled when it is called.
'use strict';
const fs = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const endsCode = '\n';
const settledMs = 150;
/** Most commands call the same functions, so that more of them would add little. */
const mostCommands = 32;

/** File -> script, and the commands for which its code was kept. */
const scripts = new Map();
/** Where code is kept; nowhere where others may write, nor in the process of somebody else's program. */
let folder;
/** What this process does, once it is known. */
let command;
let learning;
let isHeld = false;

/** @param {string} given this user alone can write there */
function useFolder(given) {
  folder = given;
}

/**
 * @param {string} path of the source
 * @param {string} file names it and its build: `core-0123456789ab.js`
 */
function toScript(path, file) {
  const code = keptCode(file);
  // The engine takes code that was made with the same flags: those of the start.
  if (isHeld) setFlag('--flush-bytecode');
  const cachedData = code?.bytes;
  const script = new Script(fs.readFileSync(path, 'utf8'), { filename: path, cachedData });
  if (isHeld) setFlag('--no-flush-bytecode');
  scripts.set(file, { script, commands: code?.commands ?? [] });
  if (command !== undefined) learn();
  return script;
}

/** The file ends with a line that tells its sum, as the engine checks none, and the commands. */
function keptCode(file) {
  if (folder === undefined) return undefined;
  try {
    const content = fs.readFileSync(codeFile(file));
    const end = content.lastIndexOf(endsCode);
    const { sum, commands } = JSON.parse(content.toString('utf8', end + 1));
    const bytes = content.subarray(0, end);
    return sum === sumOf(bytes) ? { bytes, commands } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Has code be kept when the process ends well, once for each command. If that fails, the next start is
 * slower.
 *
 * @param {string} name such as `cuervo plugin list`; empty where none runs, as for help
 */
function keepFor(name) {
  if (folder === undefined) return;
  command = name;
  learn();
  process.once('exit', (exitCode) => {
    if (exitCode === 0) keep();
  });
}

/** The scripts whose code lacks the functions of the command. */
const lacking = () =>
  [...scripts].filter(
    ([, { commands }]) => !commands.includes(command) && commands.length < mostCommands,
  );

/**
 * The engine forgets code that has not run for some collections, and what is to be kept must stay.
 * Most commands end before that. While the flag is set, Node compiles its own modules anew.
 */
function learn() {
  if (learning !== undefined || lacking().length === 0) return;
  learning = setTimeout(() => {
    isHeld = true;
    setFlag('--no-flush-bytecode');
  }, settledMs);
  learning.unref();
}

function keep() {
  const wanted = lacking();
  if (wanted.length === 0) return;
  if (isHeld) setFlag('--flush-bytecode');
  try {
    if (wanted.some(([, { commands }]) => commands.length === 0)) removeOld(wanted[0][0]);
    for (const [file, { script, commands }] of wanted) {
      const code = script.createCachedData();
      const line = JSON.stringify({ sum: sumOf(code), commands: [...commands, command] });
      write(codeFile(file), Buffer.concat([code, Buffer.from(endsCode + line)]));
    }
  } catch {
    // A full disk, most likely.
  }
}

function write(path, content) {
  const made = `${path}.${process.pid}-${process.hrtime.bigint()}`;
  try {
    fs.writeFileSync(made, content, { mode: 0o600, flag: 'wx' });
    fs.renameSync(made, path);
  } catch (thrown) {
    fs.rmSync(made, { force: true });
    throw thrown;
  }
}

/** What older builds kept, but for the last two, which may be in use as well. */
function removeOld(file) {
  const builds = new Map();
  for (const name of fs.readdirSync(folder)) {
    const build = buildOf(name);
    if (build === undefined || build === buildOf(file)) continue;
    const path = join(folder, name);
    const { paths = [], atMs = 0 } = builds.get(build) ?? {};
    const keptMs = fs.statSync(path).mtimeMs;
    builds.set(build, { paths: [...paths, path], atMs: Math.max(atMs, keptMs) });
  }
  const old = [...builds.values()].toSorted((one, other) => other.atMs - one.atMs).slice(2);
  for (const { paths } of old) for (const path of paths) fs.rmSync(path, { force: true });
}

const codeFile = (file) => join(folder, `${file}.code`);
const buildOf = (file) => /-([0-9a-f]{12})[.]js/.exec(file)?.[1];
const sumOf = (bytes) => require('node:zlib').crc32(bytes);
const setFlag = (flag) => require('node:v8').setFlagsFromString(flag);

module.exports = { keepFor, toScript, useFolder };
