import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { writeOut } from './write-out.ts';

/**
 * The program that compiles a script without running it: the script on standard input, what
 * `cachedData` takes on standard output. It is started with the flags of a plugin process, for
 * only there the engine takes it.
 */
// Node 26.10 overruns its heap where it decodes a pipe that comes in small pieces.
const script = readFileSync(0).toString('utf8');
// Only some flags can be set, and only so: see `lock-down.cjs`.
const { setFlagsFromString } = process.getBuiltinModule('node:v8');
// All functions, not only those that run first: which ones a call needs is known by calling alone.
setFlagsFromString('--no-lazy');
const compiled = new Script(script);
setFlagsFromString('--lazy');
writeOut(compiled.createCachedData());
