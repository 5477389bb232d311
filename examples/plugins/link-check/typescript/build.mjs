import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { componentize } from '@bytecodealliance/componentize-js';

process.chdir(import.meta.dirname);
mkdirSync('dist', { recursive: true });
const sourcePath = 'dist/link-check.js';
writeFileSync(sourcePath, stripTypeScriptTypes(readFileSync('link-check.ts', 'utf8')));
const { component } = await componentize({
  sourcePath,
  // As text: version 0.23 finds no file by `witPath`.
  witWorld: readFileSync('../wit/link-check.wit', 'utf8'),
  worldName: 'whole',
  disableFeatures: ['clocks', 'fetch-event', 'random', 'stdio'],
});
writeFileSync('dist/component.wasm', component);
