#!/usr/bin/env node
// Plain, old JavaScript: any Node must be able to read this far.
'use strict';
var needed = 26;
var major = Number(process.versions.node.split('.')[0]);
if (major < needed) {
  process.stderr.write(
    'cuervo needs Node ' +
      needed +
      ' or later and this is ' +
      process.version +
      ': run it as "npx cuervo" in its folder, which brings Node ' +
      needed +
      ', or install one from https://nodejs.org\n',
  );
  process.exit(7);
}
require('node:module').enableCompileCache();
require('./main.js');
