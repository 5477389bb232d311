// Loads the parts of the program, which `src/build/bundle-parts.ts` makes.
'use strict';
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { toScript } = require('./kept-code.cjs');

const chunks = join(__dirname, 'chunks');
/** Module -> file. */
const files = JSON.parse(readFileSync(join(chunks, 'files.json'), 'utf8'));
/** What runs a module, by the names of modules. */
const runs = new Map();
const loaded = new Map();
const requireHere = createRequire(join(chunks, 'part.js'));

/**
 * @param {string} path of a module, which counts by its name
 * @param {{ isAnew?: boolean }} options whether it runs once more, as for another command in one process
 * @returns what the module exports
 */
function load(path, { isAnew = false } = {}) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const found = isAnew ? undefined : loaded.get(name);
  if (found !== undefined) return exportsOf(found);
  if (!runs.has(name)) read(name);
  const module = { exports: {} };
  // Modules that need each other find what is there of the one that came first.
  loaded.set(name, module);
  try {
    runs.get(name)(module);
  } catch (thrown) {
    // As with other modules, those that ran meanwhile hold what it exported until now.
    module.failed = { thrown };
  }
  return exportsOf(module);
}

function exportsOf({ exports, failed }) {
  if (failed !== undefined) throw failed.thrown;
  return exports;
}

/** Reads the file of a module, with all that is in it. */
function read(name) {
  if (files[name] === undefined) throw new Error(`${name} is not part of this build`);
  const path = join(chunks, files[name]);
  const made = toScript(path, files[name]).runInThisContext()(
    (needed) => (needed.startsWith('.') ? load(needed) : requireHere(needed)),
    async (needed) => (needed.startsWith('.') ? load(needed) : import(needed)),
    chunks,
    pathToFileURL(path).href,
  );
  for (const [each, run] of Object.entries(made)) runs.set(each, run);
}

module.exports = { load };
