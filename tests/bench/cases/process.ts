import type { Bench } from '../bench-context.ts';
import { callTool, openHost } from '../bench-host.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, type Side, timed } from '../measure.ts';
import type { Peers } from '../peers.ts';

const first: Target = { name: 'process.first', unit: 'ms', reach: '<= 0.35x' };

/** What both echo. */
export const firstText = 'every tool is a component';

/** From nothing running to the first answer of the MCP server. */
export function startOfPeer(peers: Peers): Side {
  return async () => {
    let server: Awaited<ReturnType<Peers['openMcpEcho']>> | undefined;
    try {
      return await timed(async () => {
        server = await peers.openMcpEcho();
        return await server.call(firstText);
      });
    } finally {
      await server?.close();
    }
  };
}

/** From nothing running to the first answer; ours checks the plugin's digests, too. */
const processFirst: Bench = {
  ...first,
  run: async (context) => {
    const { store } = await context.echo();
    const peers = await context.peers();
    const ours = async (): Promise<number> => {
      await using host = openHost(store);
      return await timed(() => callTool(host, 'echo.text', { text: firstText }));
    };
    const theirs = typeof peers === 'string' ? undefined : startOfPeer(peers);
    const runs = 31;
    const { a, b } = await interleave({ runs, warmUps: 2 }, ours, theirs);
    const note = typeof peers === 'string' ? peers : undefined;
    return benchLine(first, { value: a, runs, peer: 'MCP SDK, stdio', peerValue: b, note });
  },
};

export const processBenches: readonly Bench[] = [processFirst];
