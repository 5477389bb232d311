// In plain JavaScript: Vitest leaves the `require()` of this file to Node, and so to the bundle.
'use strict';
const { load } = require('../../dist/parts.cjs');

/** Runs the bundle of the command line once more, with what it keeps for one command made anew. */
module.exports = function runMain() {
  return load('main.js', { isAnew: true });
};
