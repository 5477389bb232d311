import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { estimateTokens } from '../../../src/models/count-tokens.ts';
import type { Bench } from '../bench-context.ts';
import { benchPlugins, dist, installFrom } from '../bench-host.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, pause, timed } from '../measure.ts';
import { idleMs, text } from './call.ts';

const peer = 'MCP SDK, stdio';
/** Of the list that a model is sent; few models need more tokens for it. */
const asciiPerToken = 3;

type Server = AsyncDisposable & { client: Client; pid: number };

/** The official client, and a server as its process. */
async function open(args: readonly string[], home = ''): Promise<Server> {
  const client = new Client({ name: 'bench', version: '0.1.0' });
  const env = { PATH: process.env.PATH ?? '', CUERVO_HOME: home };
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [...args], env, stderr: 'ignore' as const },
    ...(home === '' ? {} : { cwd: workspaceOf(home) }),
  });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function workspaceOf(home: string): string {
  const folder = join(home, 'workspace');
  mkdirSync(folder, { recursive: true });
  return folder;
}

const openOurs = (home: string, ...flags: string[]): Promise<Server> =>
  open([join(dist, 'cuervo.cjs'), 'mcp', 'serve', ...flags], home);

let calls = 0;

/** Each with another text: one that was looked at before is known. */
async function callText({ client }: Server, name: string): Promise<void> {
  calls += 1;
  const sent = `${calls} ${text}`.slice(0, text.length);
  const { content } = await client.callTool({ name, arguments: { text: sent } });
  const [first] = content as { text?: string }[];
  if (first?.text !== sent) throw new Error(`${name} answered ${first?.text?.slice(0, 80)}`);
}

const call: Target = { name: 'mcp.call', unit: 'ms', reach: '<= 2.5x' };

const mcpCall: Bench = {
  ...call,
  run: async (context) => {
    const { folder } = await context.echo();
    const peers = await context.peers();
    await using ours = await openOurs(folder, '--tools', 'echo.*');
    await using theirs = typeof peers === 'string' ? undefined : await open([peers.mcpServer]);
    const side = (server: Server, name: string) => async () => {
      await pause(idleMs);
      return await timed(() => callText(server, name));
    };
    const runs = 200;
    const { a, b } = await interleave(
      { runs, warmUps: 50 },
      side(ours, 'echo_text'),
      theirs === undefined ? undefined : side(theirs, 'text'),
    );
    const note = typeof peers === 'string' ? peers : undefined;
    return benchLine(call, { value: a, runs, peer, peerValue: b, note });
  },
};

const start: Target = { name: 'mcp.start', unit: 'ms', reach: '<= 2.5x' };

const mcpStart: Bench = {
  ...start,
  run: async (context) => {
    const peers = await context.peers();
    using many = await installFrom(join(benchPlugins, 'many'));
    writeFileSync(join(many.folder, 'config.toml'), 'mcp.direct-tools = 1000\n');
    const count = async (server: Server) => (await server.client.listTools()).tools.length;
    const tools = await (async () => {
      await using server = await openOurs(many.folder);
      return await count(server);
    })();
    const listed = (begin: () => Promise<Server>) => () =>
      timed(async () => {
        await using server = await begin();
        const found = await count(server);
        if (found !== tools) throw new Error(`${found} tools, not ${tools}`);
      });
    const runs = 7;
    const { a, b } = await interleave(
      { runs, warmUps: 1 },
      listed(() => openOurs(many.folder)),
      typeof peers === 'string' ? undefined : listed(() => open([peers.mcpServer, String(tools)])),
    );
    const note = typeof peers === 'string' ? peers : `${tools} tools, and the end of the server`;
    return benchLine(start, { value: a, runs, peer, peerValue: b, note });
  },
};

const tokens: Target = { name: 'mcp.tokens', unit: 'tokens', reach: '<= 1500 tokens' };

const mcpTokens: Bench = {
  ...tokens,
  run: async () => {
    const home = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
    try {
      await using server = await openOurs(home, '--compact');
      const { tools } = await server.client.listTools();
      const instructions = server.client.getInstructions() ?? '';
      const value = estimateTokens(JSON.stringify(tools) + instructions, asciiPerToken);
      return benchLine(tokens, { value, runs: 1, note: `${tools.length} tools and instructions` });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
};

const ten: Target = { name: 'script.ten', unit: 'ms', reach: '<= 0.6x' };
const byCalls = 'ten call_tool';

/** Ten reads by one script, and by ten calls of the same server, which a model would have to write. */
const scriptTen: Bench = {
  ...ten,
  run: async () => {
    const home = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
    const work = mkdtempSync(join(tmpdir(), 'cuervo-bench-work-'));
    try {
      const names = Array.from({ length: 10 }, (_, at) => `f${at}.txt`);
      for (const name of names) writeFileSync(join(work, name), `${text}\n${name}\n`);
      await using server = await openOurs(home, '--compact', '--workspace', work);
      const callTool = async (name: string, input: Record<string, unknown>) => {
        const { content, isError } = await server.client.callTool({ name, arguments: input });
        const [first] = content as { text?: string }[];
        if (isError || first?.text === undefined) throw new Error(`${name}: ${first?.text}`);
        return first.text;
      };
      const code = `return tools.all(input.map((path) => ({ tool: 'file.read', input: { path } }))).map(({ lines }) => lines.split('\\n').at(-1))`;
      let told = { script: 0, calls: 0 };
      const byScript = async (): Promise<void> => {
        const input = { code, input: names };
        const said = await callTool('run_script', input);
        if (said !== JSON.stringify(names)) throw new Error(`the script returned ${said}`);
        told = { ...told, script: tokensOf(JSON.stringify(input) + said) };
      };
      const byTen = async (): Promise<void> => {
        let all = '';
        for (const path of names) {
          const input = { name: 'file_read', input: { path } };
          all += JSON.stringify(input) + (await callTool('call_tool', input));
        }
        told = { ...told, calls: tokensOf(all) };
      };
      const runs = 30;
      const { a, b } = await interleave(
        { runs, warmUps: 5 },
        () => timed(byScript),
        () => timed(byTen),
      );
      const note = `${told.script} tokens of a model in place of ${told.calls}`;
      return benchLine(ten, { value: a, runs, peer: byCalls, peerValue: b, note });
    } finally {
      for (const folder of [home, work]) rmSync(folder, { recursive: true, force: true });
    }
  },
};

const tokensOf = (said: string): number => Math.ceil(estimateTokens(said, asciiPerToken));

/** The engine collects what lies about when a process has been idle for some seconds. */
const collectedMs = 20_000;

const rss: Target = { name: 'rss.mcp', unit: 'MB', reach: '< 10 MB' };

const rssMcp: Bench = {
  ...rss,
  run: async (context) => {
    const { folder } = await context.echo();
    await using server = await openOurs(folder, '--tools', 'echo.*');
    const calls = async (count: number): Promise<number> => {
      for (let at = 0; at < count; at += 1) await callText(server, 'echo_text');
      await pause(collectedMs);
      return residentMegabytes(server.pid);
    };
    // What is compiled and cached by use is there by then.
    await calls(500);
    const before = await calls(500);
    const runs = 1_000;
    return benchLine(rss, {
      value: (await calls(runs)) - before,
      runs,
      note: `from ${before.toFixed(0)} MB`,
    });
  },
};

function residentMegabytes(pid: number): number {
  const [, kibibytes] =
    /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}

export const mcpBenches: readonly Bench[] = [mcpCall, mcpStart, mcpTokens, scriptTen, rssMcp];
