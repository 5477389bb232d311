import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { kindOf, type PluginRecord } from '../host/install/plugin-record.ts';
import { openPluginStore, type PluginStore } from '../host/install/plugin-store.ts';
import { openMessage } from '../host/install/prepare-plugin.ts';
import { defaultLimits } from '../host/limits.ts';
import { wayOn } from '../paths/open-name.ts';
import {
  createFrameDecoder,
  encodeFile,
  encodeFrame,
  encodeTexts,
  fromProcess,
  jsonOf,
  toProcess,
} from '../protocol/frame.ts';
import type { CallMessage } from '../protocol/messages.ts';
import { launchPlain } from '../sandbox/launch-plain.ts';

/** The most frequent first calls of a process: look at names, search for text, read a file. */
const calls: readonly Pick<CallMessage, 'tool' | 'input'>[] = [
  { tool: 'files', input: '{"pattern":"*.ts"}' },
  { tool: 'grep', input: '{"pattern":"limit","before":1,"after":1}' },
  { tool: 'grep', input: '{"pattern":"retry\\\\w+","limit":2}' },
  { tool: 'definition', input: '{"name":"retryLimit"}' },
];

const files: Readonly<Record<string, string>> = {
  '.gitignore': 'node_modules/\n*.log\n/dist/\n',
  'src/limits.ts':
    '// What is tried again.\nexport function retryLimit(): number {\n  return 3;\n}\n',
  'src/naïve.md': 'A limit that is naïve.\n',
  'src/deep/main.ts': "import { retryLimit } from '../limits.ts';\n\nretryLimit();\n",
};

const timeoutMs = 60_000;

/**
 * Makes a code cache for plugin processes. It holds only the functions that a plugin's first calls
 * need; the others are compiled when they are called. Only the program and a shipped plugin run
 * here, both just built.
 *
 * @param dist holds the bundles and `builtin`
 * @returns undefined when the plugin for it was not built, as in a copy of a part of the sources
 */
export async function rehearseProgram(dist: string): Promise<Buffer | undefined> {
  const store = openPluginStore(join(dist, 'builtin'));
  const record = store.list().find(({ name }) => name === 'search');
  if (record === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-rehearsal-'));
  try {
    const bundle = join(folder, 'process.cjs');
    copyFileSync(join(import.meta.dirname, 'rehearsal-loader.cjs'), bundle);
    copyFileSync(join(dist, 'process.main.js'), join(folder, 'process.main.js'));
    const work = join(folder, 'work');
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(work, name, '..'), { recursive: true });
      writeFileSync(join(work, name), text);
    }
    return await rehearse(store, record, { bundle, roots: { work }, withheld: {} });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rehearse(
  store: PluginStore,
  record: PluginRecord,
  place: Parameters<typeof launchPlain>[0],
): Promise<Buffer> {
  const launch = launchPlain(place, wayOn(process.platform));
  const child = spawn(launch.program, launch.args, {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe', ...(launch.inherited as number[])],
    env: {},
    cwd: '/',
    timeout: timeoutMs,
  });
  for (const descriptor of launch.inherited as number[]) closeSync(descriptor);
  const chunks: Buffer[] = [];
  (child.stdout as Readable).on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const inbox = child.stdio[3] as Duplex;
  const digests: Record<string, string> = {};
  for (const { name, digest, bytes } of store.read(record)) {
    digests[name] = digest;
    for (const frame of encodeFile(bytes, { digest, kind: kindOf(name) })) inbox.write(frame);
  }
  const { roots, way } = launch;
  const open = { ...openMessage(record, defaultLimits), protectedPaths: {}, isAwaited: true };
  inbox.write(encodeFrame(toProcess.open, { ...open, files: digests, roots, way }));
  const failed = await callAll(child);
  inbox.end();
  const code = await ended;
  if (failed !== undefined) throw new Error(`the rehearsal of the program failed: ${failed}`);
  if (code !== 0) throw new Error(`the rehearsal of the program ended with ${code}`);
  return Buffer.concat(chunks);
}

/** Makes the calls one after the other and refuses host calls. @returns what went wrong */
async function callAll(child: ChildProcess): Promise<string | undefined> {
  const inbox = child.stdio[3] as Duplex;
  const decode = createFrameDecoder();
  let next = 0;
  const send = (): void => {
    const { tool, input } = calls[next] as (typeof calls)[number];
    const first = JSON.stringify({ effect: 'read', denied: {} });
    inbox.write(encodeTexts(toProcess.call, { id: next + 1, first, second: tool, rest: input }));
    next += 1;
  };
  send();
  for await (const chunk of child.stdio[4] as Readable) {
    for (const frame of decode(chunk as Buffer)) {
      const { kind } = frame;
      if (kind === fromProcess.request) {
        const error = { tag: 'denied', val: 'not served in a rehearsal' };
        inbox.write(encodeFrame(toProcess.reply, { error }));
      }
      if (kind === fromProcess.failed) return jsonOf(frame);
      if (kind === fromProcess.result) return jsonOf(frame);
      if (kind !== fromProcess.output) continue;
      if (next === calls.length) return undefined;
      send();
    }
  }
  return 'it ended before the last call';
}
