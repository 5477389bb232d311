// In place of the loader of a plugin process while cuervo is built: runs the program and tells,
// when it ends, what the engine made of the functions that were called.
'use strict';
const { readFileSync, writeSync } = require('node:fs');
const { Script } = require('node:vm');
const stem = __filename.slice(0, -'.cjs'.length);
const script = new Script(readFileSync(`${stem}.main.js`, 'latin1'), {
  filename: 'process.main.js',
});
process.once('exit', () => {
  const code = script.createCachedData();
  for (let sent = 0; sent < code.byteLength; ) sent += writeSync(1, code, sent);
});
script.runInThisContext()(require);
