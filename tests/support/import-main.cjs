// In plain JavaScript: Vitest leaves the `import()` of this file to Node, and so to the bundle.
'use strict';
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const bundle = pathToFileURL(join(__dirname, '../../dist/main.js')).href;
let runs = 0;

/** Runs the bundle of the command line once more, with what it keeps for one command made anew. */
module.exports = function importMain() {
  runs += 1;
  return import(`${bundle}?run=${runs}`);
};
