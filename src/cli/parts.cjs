// Loads the parts of the program, and keeps what the engine made of the functions that a command
// called, so that the next one compiles nothing: Node's own cache holds none that is compiled when it
// is called.
'use strict';
const fs = require('node:fs');
const { createRequire, getCompileCacheDir } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

const chunks = join(__dirname, 'chunks');
/** Module -> file; the name of a file ends with the digest of this build. */
const files = JSON.parse(fs.readFileSync(join(chunks, 'files.json'), 'utf8'));
/** What runs a module, by the names of modules. */
const runs = new Map();
const loaded = new Map();
/** File -> script, and the commands whose functions its code has. */
const scripts = new Map();
const requireHere = createRequire(join(chunks, 'part.js'));
/** What this process does, once it is known. */
let command;
let learning;
let isKept = false;

/**
 * @param {string} path of a module, which counts by its name
 * @param {{ isAnew?: boolean }} options whether it runs once more, as for another command in one process
 * @returns what the module exports
 */
function load(path, { isAnew = false } = {}) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const found = isAnew ? undefined : loaded.get(name);
  if (found !== undefined) return found.exports;
  if (!runs.has(name)) read(files[name]);
  const module = { exports: {} };
  // Modules that need each other find what is there of the one that came first.
  loaded.set(name, module);
  try {
    runs.get(name)(module);
  } catch (thrown) {
    loaded.delete(name);
    throw thrown;
  }
  return module.exports;
}

function read(file) {
  const path = join(chunks, file);
  const code = keptCode(file);
  const script = compile(fs.readFileSync(path, 'utf8'), {
    filename: path,
    cachedData: code?.bytes,
  });
  scripts.set(file, { script, commands: code?.commands ?? [] });
  if (command !== undefined) learn();
  const made = script.runInThisContext()(
    (name) => (name.startsWith('.') ? load(name) : requireHere(name)),
    async (name) => (name.startsWith('.') ? load(name) : import(name)),
    chunks,
    pathToFileURL(path).href,
  );
  for (const [name, run] of Object.entries(made)) runs.set(name, run);
}

/**
 * The time that files of code carry. One that was written to since has another: the engine checks
 * nothing of what it is given but versions and lengths, and to read all of it here would take longer
 * than to compile a part of it.
 */
const keptTime = new Date('2000-01-01T00:00:00Z');
const endsCode = '\n';
const settledMs = 150;
/** Most commands call the same functions, so that more of them would add little. */
const mostCommands = 32;

const codeFile = (file) => join(getCompileCacheDir(), `${file}.code`);
const buildOf = (file) => /-([0-9a-f]{12})[.]js/.exec(file)?.[1];

/** The file ends with a line of the commands whose functions it has. */
function keptCode(file) {
  if (getCompileCacheDir() === undefined) return undefined;
  let descriptor;
  try {
    descriptor = fs.openSync(codeFile(file));
    if (fs.fstatSync(descriptor).mtimeMs !== keptTime.getTime()) return undefined;
    const content = fs.readFileSync(descriptor);
    const end = content.lastIndexOf(endsCode);
    const commands = JSON.parse(content.toString('utf8', end + 1)).map(String);
    return { bytes: content.subarray(0, end), commands };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/**
 * Keeps, when the process ends well, what was compiled for its command, once for each. A program that
 * cannot starts slower next time.
 *
 * @param {string} name of the command, such as `plugin list`
 */
function keepFor(name) {
  if (getCompileCacheDir() === undefined) return;
  command = name;
  learn();
  process.once('exit', (code) => {
    if (code === 0) keep();
  });
}

/** The scripts whose code lacks the functions of the command. */
const lacking = () =>
  [...scripts].filter(
    ([, { commands }]) => !commands.includes(command) && commands.length < mostCommands,
  );

/**
 * The engine forgets code that has not run for some collections. What is to be kept must stay. Most
 * commands end before that, and with a flag Node compiles its own modules, too.
 */
function learn() {
  if (learning !== undefined || lacking().length === 0) return;
  learning = setTimeout(() => {
    isKept = true;
    setFlag('--no-flush-bytecode');
  }, settledMs);
  learning.unref();
}

/** Code is taken by an engine with the flags of the one that made it: those of the start. */
function compile(source, options) {
  if (!isKept) return new Script(source, options);
  setFlag('--flush-bytecode');
  const script = new Script(source, options);
  setFlag('--no-flush-bytecode');
  return script;
}

function keep() {
  const wanted = lacking();
  if (wanted.length === 0) return;
  if (isKept) setFlag('--flush-bytecode');
  try {
    if (wanted.some(([, { commands }]) => commands.length === 0)) removeOld();
    for (const [file, { script, commands }] of wanted) {
      const line = endsCode + JSON.stringify([...commands, command]);
      write(codeFile(file), Buffer.concat([script.createCachedData(), Buffer.from(line)]));
    }
  } catch {
    // A full disk, most likely.
  }
}

function write(path, content) {
  const made = `${path}.${process.pid}`;
  try {
    fs.writeFileSync(made, content, { mode: 0o600 });
    fs.utimesSync(made, keptTime, keptTime);
    fs.renameSync(made, path);
  } catch (thrown) {
    fs.rmSync(made, { force: true });
    throw thrown;
  }
}

/** What older builds kept, but for the last two, which may be in use as well. */
function removeOld() {
  const folder = getCompileCacheDir();
  const builds = new Map();
  for (const name of fs.readdirSync(folder)) {
    const build = buildOf(name);
    if (build === undefined || build === buildOf(files['main.js'])) continue;
    const path = join(folder, name);
    const { paths = [], atMs = 0 } = builds.get(build) ?? {};
    const keptMs = fs.statSync(path).ctimeMs;
    builds.set(build, { paths: [...paths, path], atMs: Math.max(atMs, keptMs) });
  }
  const old = [...builds.values()].toSorted((one, other) => other.atMs - one.atMs).slice(2);
  for (const { paths } of old) for (const path of paths) fs.rmSync(path, { force: true });
}

function setFlag(flag) {
  require('node:v8').setFlagsFromString(flag);
}

module.exports = { keepFor, load };
