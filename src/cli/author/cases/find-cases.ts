import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { outsideProject } from '../../../../sdk/build/outside-packages.ts';
import { programPaths } from '../../../config/paths.ts';
import { KernelError, reasonOf } from '../../../contracts/error.ts';
import { runStranger } from '../../../kernel/plugins/run-stranger.ts';
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

/** The default export of a file of cases, read in a process without any permission. */
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
    metafile: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    alias: { '@cuervo/sdk/testing': join(sdk, 'testing/cases.ts') },
  }).catch((thrown: unknown) => {
    throw asAuthors(path, reasonOf(thrown), thrown);
  });
  const outside = outsideProject(made.metafile, { folder: dirname(resolve(path)), sdkFolder: sdk });
  if (outside !== undefined) {
    throw new KernelError('invalid-argument', `${path}: ${outside}`, {
      hint: 'Cases are read with files of their own project alone.',
    });
  }
  try {
    const said = await runStranger(made.outputFiles[0]?.text ?? '', {
      ...{ timeoutMs, signal },
      doing: 'to run it',
      failed: 'it gives no list of cases',
    });
    return JSON.parse(said);
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const reason = thrown instanceof SyntaxError ? 'it exports no list of cases' : reasonOf(thrown);
    throw asAuthors(path, reason, thrown);
  }
}

function asAuthors(path: string, reason: string, cause: unknown): KernelError {
  return new KernelError('invalid-argument', `${path}: ${reason}`, {
    cause,
    hint: 'Its default export is a list of cases.',
  });
}
