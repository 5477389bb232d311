// Prints the resident set of this process in kB once it rests. With an argument it opens the
// kernel of that bundle as a library first; the other two arguments are its home and workspace.
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [bundle, home, workspace] = process.argv.slice(2);
let kernel;
if (bundle !== undefined) {
  const { openKernel } = await import(pathToFileURL(bundle).href);
  kernel = await openKernel({ home, workspace });
}
await setTimeout(300);
const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
process.stdout.write(`${kilobytes}\n`);
await kernel?.[Symbol.asyncDispose]();
