import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from './bench-host.ts';
import { idleMs, text } from './cases/call.ts';
import { interleaveAll, pause, type Side, timed } from './measure.ts';
import { openPeers } from './peers.ts';

const usage = `npm run bench:compare -- [--runs N] FOLDER…
  The warm call of this clone, of clones in other folders, and of the MCP peer, in turn in one run:
  what separate runs cannot tell from the noise of the machine. Each folder is built before.
  --runs N  rounds that are counted (300)`;

type Host = typeof import('./bench-host.ts');

/** The warm call of a clone, its host and its plugin's process its own. */
async function openSide(folder: string): Promise<Side> {
  const file = pathToFileURL(join(folder, 'tests', 'bench', 'bench-host.ts')).href;
  const { installFrom, openHost, callTool, benchPlugins } = (await import(file)) as Host;
  const { store } = await installFrom(join(benchPlugins, 'echo'));
  const host = openHost(store);
  return () => timed(() => callTool(host, 'echo.text', { text }));
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      runs: { type: 'string', default: '300' },
      help: { type: 'boolean', default: false },
    },
  });
  const runs = Number(values.runs);
  if (values.help || !Number.isInteger(runs) || runs < 1) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  const folders = [root, ...positionals.map((folder) => resolve(folder))];
  const server = await (await openPeers()).openMcpEcho();
  const sides = [
    ...(await Promise.all(folders.map(openSide))),
    () => timed(async () => void (await server.call(text))),
  ];
  const paused = sides.map((side) => async () => {
    await pause(idleMs);
    return await side();
  });
  const medians = await interleaveAll({ runs, warmUps: 60 }, paused);
  const peerMs = medians.at(-1) as number;
  for (const [index, name] of [...folders, 'MCP SDK, stdio'].entries()) {
    const ms = medians[index] as number;
    console.log(`${ms.toFixed(3)} ms  ${(ms / peerMs).toFixed(2)}x  ${name}`);
  }
  return 0;
}

// Processes of plugins and of the peer end with this one.
process.exit(await main());
