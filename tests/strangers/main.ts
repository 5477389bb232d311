import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonObject, Tool } from '../../src/contracts/tool.ts';
import { openKernel } from '../../src/kernel.ts';
import { inputFor } from './input-for.ts';

/**
 * Components that others made, each through `inspect`, `install`, `tools` and a call of every
 * tool, without grants and with all that its label names. See the README beside it.
 */
const cuervo = resolve(import.meta.dirname, '../../dist/cuervo.cjs');
const dir = mkdtempSync(join(tmpdir(), 'cuervo-strangers-'));
const work = join(dir, 'work');
/** What a call may take until it counts as hanging: less than its own deadline would be. */
const slowMs = 20_000;

type Said = { status: number | null; json: JsonObject[]; stderr: string; ms: number };

function say(home: string, args: readonly string[]): Said {
  const startedMs = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [cuervo, ...args, '--json'], {
    cwd: work,
    env: { PATH: process.env.PATH, CUERVO_HOME: home },
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 256 * 1024 * 1024,
  });
  const json = stdout.split('\n').flatMap((line) => (line === '' ? [] : [parse(line)]));
  return { status, json, stderr, ms: performance.now() - startedMs };
}

function parse(line: string): JsonObject {
  try {
    return JSON.parse(line) as JsonObject;
  } catch {
    return { type: 'no JSON', line: line.slice(0, 200) };
  }
}

type Ended = { outcome: string; says: string; ms: number };

async function callTool(
  home: string,
  tool: string,
  input: JsonObject,
  allow: readonly string[],
): Promise<Ended> {
  const startedMs = performance.now();
  const ended = { outcome: 'nothing', says: '' };
  await using kernel = await openKernel({ home, workspace: work, allow });
  for await (const event of kernel.run(tool, input)) {
    if (event.type === 'result') Object.assign(ended, { outcome: 'ok', says: event.content });
    if (event.type === 'error') {
      Object.assign(ended, { outcome: event.code, says: event.message });
    }
  }
  return { ...ended, ms: performance.now() - startedMs };
}

/** One file; @returns what is wrong with how it was treated. */
async function tryFile(file: string, number: number): Promise<string[]> {
  const wrong: string[] = [];
  const home = join(dir, `home-${number}`);
  mkdirSync(home);
  const copy = join(dir, `${number}`, basename(file));
  mkdirSync(join(dir, `${number}`));
  copyFileSync(file, copy);
  const inspected = say(home, ['plugin', 'inspect', copy]);
  const [report = {}] = inspected.json;
  const verdict = String(report.verdict ?? (report as { code?: string }).code ?? 'nothing');
  const reasons = ((report.reasons ?? [report.message]) as unknown[]).map(String);
  console.log(
    `\n${file}\n  ${verdict}, ${statSync(file).size} bytes, ${Math.round(inspected.ms)} ms`,
  );
  if (inspected.status !== 0 && inspected.status !== 6) {
    wrong.push(`inspect: exit ${inspected.status} ${inspected.stderr.slice(0, 300)}`);
  }
  const installed = say(home, ['plugin', 'install', copy, '--yes']);
  const isInstalled = installed.status === 0;
  if (isInstalled !== (inspected.status === 0)) {
    const told = JSON.stringify(installed.json.at(-1) ?? installed.stderr).slice(0, 600);
    wrong.push(`inspect says ${verdict}, install exit ${installed.status}: ${told}`);
  }
  if (!isInstalled) {
    for (const reason of reasons) console.log(`  - ${reason.slice(0, 300)}`);
    return wrong;
  }
  console.log(`  installed in ${Math.round(installed.ms)} ms`);
  const capabilities = ((report.capabilities ?? []) as { capability: string }[])
    .map(({ capability }) => capability)
    .filter((name) => name !== 'network');
  const grants = capabilities.map((name) =>
    name === 'fs' || name === 'fs-write'
      ? `${name}:work`
      : name === 'http'
        ? 'http:https://example.invalid'
        : name,
  );
  const tools = say(home, ['tools']).json as unknown as Tool[];
  const own = tools.filter(({ plugin }) => plugin === (report.name ?? plugin));
  const shown = (report.tools ?? []) as JsonObject[];
  const strangers = own.filter(
    ({ plugin }) => !['file', 'search', 'git', 'shell'].includes(plugin),
  );
  if (shown.length === 0 || strangers.length < shown.length) {
    wrong.push(`inspect shows ${shown.length} tools, tools ${strangers.length}`);
  }
  for (const { name, inputSchema } of strangers) {
    for (const fill of ['least', 'more'] as const) {
      const input = inputFor(inputSchema, fill) as JsonObject;
      for (const allow of grants.length === 0 ? [[]] : [[], grants]) {
        const { outcome, says, ms } = await callTool(home, name, input, allow);
        const with_ = allow.length === 0 ? '' : ' with grants';
        const line = `${name} ${fill}${with_}: ${outcome} ${JSON.stringify(says).slice(0, 220)}`;
        console.log(`    ${line}`);
        if (['internal', 'nothing', 'invalid-argument'].includes(outcome)) wrong.push(line);
        if (ms > slowMs) wrong.push(`${name} ${fill}${with_} took ${Math.round(ms)} ms`);
      }
    }
  }
  return wrong;
}

function wasmFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:wasm|component)$/.test(name))
    .map((name) => join(path, name));
}

const { positionals } = parseArgs({ allowPositionals: true });
mkdirSync(work);
writeFileSync(join(work, 'a.txt'), 'alpha beta\n');
const all: string[] = [];
let count = 0;
for (const file of positionals.flatMap(wasmFiles)) {
  count += 1;
  const wrong = await tryFile(resolve(file), count);
  for (const line of wrong) console.log(`  WRONG ${line}`);
  all.push(...wrong.map((line) => `${basename(file)}: ${line}`));
  rmSync(join(dir, `home-${count}`), { recursive: true, force: true });
}
console.log(`\n${count} files, ${all.length} wrong`);
for (const line of all) console.log(line.slice(0, 400));
rmSync(dir, { recursive: true, force: true });
process.exitCode = all.length === 0 ? 0 : 1;
