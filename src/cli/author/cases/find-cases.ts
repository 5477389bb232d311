import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { programPaths } from '../../../config/paths.ts';
import { KernelError } from '../../../contracts/error.ts';
import { runChild } from '../../../host/install/transpile/run-child.ts';
import { createProcessSandbox } from '../../../host/tier/process-sandbox.ts';
import { reasonOf } from '../../../lib/reason-of.ts';
import { loadBuildTool } from '../load-build-tool.ts';
import { type Expectation, type PluginCase, parseCases } from './parse-cases.ts';

export type CaseFile = {
  path: string;
  cases: PluginCase[];
  /** where `--update` writes: the file itself when it is JSON, else one beside it */
  answers: string;
};

const ending = /\.cases\.(json|ts|js)$/;
const timeoutMs = 20_000;

/** @throws {KernelError} `not-found` without a file of cases, `invalid-argument` */
export async function findCases(folder: string, signal: AbortSignal): Promise<CaseFile[]> {
  const names = readdirSync(folder)
    .filter((name) => ending.test(name))
    .sort();
  if (names.length === 0) {
    throw new KernelError('not-found', `there are no cases in ${folder}`, {
      hint: 'Write NAME.cases.json: [{"name": "…", "tool": "…", "input": {}, "expect": {"content": …}}]',
    });
  }
  const found: CaseFile[] = [];
  for (const name of names) found.push(await readCases(join(folder, name), signal));
  return found;
}

async function readCases(path: string, signal: AbortSignal): Promise<CaseFile> {
  if (path.endsWith('.json')) {
    return { path, cases: parseCases(parseText(path), path), answers: path };
  }
  const answers = path.replace(/\.[jt]s$/, '.answers.json');
  const kept = (existsSync(answers) ? parseText(answers) : {}) as Record<string, Expectation>;
  const cases = parseCases(await evaluate(path, signal), path).map((each) =>
    each.expect === undefined && Object.hasOwn(kept, each.name)
      ? { ...each, expect: kept[each.name] as Expectation }
      : each,
  );
  return { path, cases, answers };
}

function parseText(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (thrown) {
    throw new KernelError('invalid-argument', `${path}: ${reasonOf(thrown)}`, {
      cause: thrown,
      hint: 'Correct the JSON of the cases.',
    });
  }
}

/** The default export of a file of cases, told by a process that may do nothing else. */
async function evaluate(path: string, signal: AbortSignal): Promise<unknown> {
  const { build } = await loadBuildTool<typeof import('esbuild')>('esbuild');
  const { sdk } = programPaths();
  const made = await build({
    stdin: {
      contents: `import cases from ${JSON.stringify(resolve(path))}; process.stdout.write(JSON.stringify(cases));`,
      resolveDir: resolve(path, '..'),
    },
    // The one that esbuild was started in may be gone.
    absWorkingDir: resolve(path, '..'),
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    alias: { '@cuervo/sdk/testing': join(sdk, 'testing/cases.ts') },
  }).catch((thrown: unknown) => {
    throw asAuthors(path, reasonOf(thrown), thrown);
  });
  const dir = mkdtempSync(join(tmpdir(), 'cuervo-cases-'));
  try {
    // What lies beside a program is its own.
    const entry = join(dir, 'code', 'cases.mjs');
    mkdirSync(join(dir, 'code'));
    writeFileSync(entry, made.outputFiles[0]?.text ?? '');
    const said = await runChild(new Uint8Array(), {
      bundle: entry,
      confine: createProcessSandbox('auto').confine,
      timeoutMs,
      signal,
      doing: 'to run it',
      failed: 'it gives no list of cases',
    });
    return JSON.parse(said.toString('utf8'));
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    throw asAuthors(
      path,
      thrown instanceof SyntaxError ? 'it exports no list of cases' : reasonOf(thrown),
      thrown,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function asAuthors(path: string, reason: string, cause: unknown): KernelError {
  return new KernelError('invalid-argument', `${path}: ${reason}`, {
    cause,
    hint: 'Its default export is a list of cases.',
  });
}
