// Starts the program of a plugin process with what the engine made of it when cuervo was built:
// with the flags of such a process Node's own cache is of no use, and reading 200 KB of program
// takes as long as half of Node's start. An engine that made it not compiles the program itself.
// The build puts `lock-down.cjs` in front of it, in one file.
'use strict';
const fs = require('node:fs');
const { Script } = require('node:vm');
const stem = __filename.slice(0, -'.cjs'.length);
const code = `${stem}.main.code`;
const cachedData = fs.existsSync(code) ? fs.readFileSync(code) : undefined;
const script = new Script(fs.readFileSync(`${stem}.main.js`, 'latin1'), {
  filename: 'process.main.js',
  cachedData,
});
// The engine has what it needs of it.
cachedData?.buffer.transfer(0);
/** Scripts that cannot `import`, which would lead to all modules of Node. */
class PlainScript {
  #script;

  constructor(text, { filename, cachedData }) {
    this.#script = new Script(text, { __proto__: null, filename, cachedData });
  }

  runInThisContext({ timeout } = { __proto__: null }) {
    return this.#script.runInThisContext({ __proto__: null, timeout });
  }
}
/** In place of `require`, which loads any module. */
const modules = {
  __proto__: null,
  'node:buffer': require('node:buffer'),
  'node:fs': fs,
  'node:path': require('node:path'),
  'node:vm': { Script: PlainScript },
};
script.runInThisContext()((name) => modules[name]);
