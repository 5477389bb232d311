// Indexes a workspace as `cuervo index` does and prints what it did, how long it took and the
// largest resident set of this process in kB. Arguments: the bundle, a home, the workspace.
import { pathToFileURL } from 'node:url';

const [bundle, home, workspace] = process.argv.slice(2);
const startedMs = performance.now();
const { openKernel } = await import(pathToFileURL(bundle).href);
const kernel = await openKernel({ home, workspace, model: 'none' });
const done = await kernel.index.update({ signal: new AbortController().signal });
const wallMs = performance.now() - startedMs;
const { user, system } = process.cpuUsage();
const report = {
  ...done,
  wallMs,
  cpuMs: (user + system) / 1000,
  maxRss: process.resourceUsage().maxRSS,
};
process.stdout.write(`${JSON.stringify(report)}\n`);
await kernel[Symbol.asyncDispose]();
