#!/usr/bin/env node
// Plain, old JavaScript: any Node must be able to read this far.
'use strict';
// Node opens its debugger at this signal, and other users of the machine can reach it. A listener
// prevents that.
process.on('SIGUSR1', () => {});
var needed = 26;
var major = Number(process.versions.node.split('.')[0]);
if (saysVersion());
else if (major >= needed) require('./start.cjs');
else if (major >= 20) require('./old-node.cjs')(needed);
else {
  process.stderr.write(
    'error: cuervo needs Node ' +
      needed +
      ' or later and this is ' +
      process.version +
      '\n' +
      'hint: Install one from https://nodejs.org and put it first on your PATH.\n',
  );
  process.exitCode = 7;
}

/**
 * Editors and scripts ask for the version often, and it needs nothing of the program, nor a newer
 * Node. The program says it itself where there are other words or nobody reads.
 */
function saysVersion() {
  var word = process.argv[2];
  if ((word !== '--version' && word !== '-V') || process.argv.length > 3) return false;
  try {
    // biome-ignore lint/style/useNodejsImportProtocol: old versions of Node do not know `node:`
    require('fs').writeSync(1, [require('./version.json').version, ''].join('\n'));
    return true;
  } catch (_) {
    return false;
  }
}
