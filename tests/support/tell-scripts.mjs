// Writes down whether each script of a process was compiled, or its code was taken; in plain
// JavaScript, for `--import`.
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import vm from 'node:vm';

const told = {};
const { Script } = vm;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    const isGiven = options.cachedData !== undefined;
    told[basename(options.filename)] = isGiven && !this.cachedDataRejected ? 'taken' : 'compiled';
  }
};
process.on('exit', () => writeFileSync(process.env.TELL_SCRIPTS, JSON.stringify(told)));
