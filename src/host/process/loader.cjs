// Starts the program of a plugin process with what the engine made of it when cuervo was built:
// with the flags of such a process Node's own cache is of no use, and reading 200 KB of program
// takes as long as half of Node's start. An engine that made it not compiles the program itself.
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const stem = __filename.slice(0, -'.cjs'.length);
const code = `${stem}.main.code`;
const cachedData = existsSync(code) ? readFileSync(code) : undefined;
const script = new Script(readFileSync(`${stem}.main.js`, 'latin1'), {
  filename: 'process.main.js',
  cachedData,
});
// The engine has what it needs of it.
cachedData?.buffer.transfer(0);
script.runInThisContext()(require);
