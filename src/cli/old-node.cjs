// On a Node that is too old: starts cuervo with a newer one, or says how to get one.
'use strict';
const { spawn, spawnSync } = require('node:child_process');
const { constants } = require('node:os');
const { basename, join } = require('node:path');
const findNode = require('./find-node.cjs');

const launcher = join(__dirname, 'cuervo.cjs');
const [, script = launcher, ...words] = process.argv;

/** Brings a Node itself, so it runs on this one. */
const runsHere = ['add', 'remove'];

/** @param needed the oldest major version that cuervo runs on */
module.exports = function startNewer(needed) {
  if (runsHere.includes(words[0])) return require(join(__dirname, 'add.cjs'));
  const { node, passedOver } = findNode(needed);
  if (node !== undefined) return runWith(node);
  if (isAgreed(needed)) {
    const added = spawnSync(process.execPath, [launcher, 'add', 'node', '--yes'], {
      stdio: 'inherit',
    });
    const brought = added.status === 0 ? findNode(needed).node : undefined;
    if (brought !== undefined) return runWith(brought);
    process.exitCode = added.status || 7;
    return undefined;
  }
  const why = passedOver.map((line) => `note: ${line}\n`).join('');
  process.stderr.write(
    `${why}error: cuervo needs Node ${needed} or later, this is ${process.version}, and none was found\n` +
      `hint: Run: ${ownCommand()} add node${process.stdin.isTTY ? '' : ' --yes'}\n`,
  );
  process.exitCode = 7;
  return undefined;
};

/** As the person typed it, so that it works as it is shown. */
function ownCommand() {
  return basename(script) === 'cuervo' ? 'cuervo' : `node ${quoted(script)}`;
}

function quoted(word) {
  return /^[\w./@:-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

/** Asks only where a person sits; nothing is ever brought without a yes. */
function isAgreed(needed) {
  if (!process.stdin.isTTY || !process.stderr.isTTY || words.includes('--json')) return false;
  process.stderr.write(
    `cuervo needs Node ${needed}, and this is ${process.version}. Bring one for cuervo alone ` +
      '(some 60 MB from the npm registry)? [y/n] ',
  );
  return /^y(es)?$/i.test(readAnswer());
}

function readAnswer() {
  const { readSync } = require('node:fs');
  const piece = Buffer.alloc(256);
  try {
    return piece.toString('utf8', 0, readSync(0, piece)).trim();
  } catch {
    return '';
  }
}

/** In this process's place where Node can, else as its child with the same terminal. */
function runWith(node) {
  const args = [...process.execArgv, launcher, ...words];
  if (process.execve !== undefined && process.platform !== 'win32') {
    process.execve(node, [node, ...args], process.env);
  }
  const child = spawn(node, args, { stdio: 'inherit' });
  // A terminal signals both; what signals this one alone is passed on.
  const passed = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  for (const signal of passed) process.on(signal, () => passOn(child, signal));
  child.on('error', (thrown) => {
    process.stderr.write(`error: ${node} cannot be started: ${thrown.message}\n`);
    process.exitCode = 7;
  });
  child.on('close', (code, signal) => {
    process.exitCode = signal === null ? code : 128 + (constants.signals[signal] || 0);
  });
}

/** Ctrl+C at a terminal reaches the child by itself, and twice would be another command. */
function passOn(child, signal) {
  if (signal === 'SIGINT' && process.stdin.isTTY) return;
  child.kill(signal);
}
