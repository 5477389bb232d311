import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BuildError } from '../build/build-error.ts';
import type { LoadTool } from '../build/load-tool.ts';
import { outsideProject } from '../build/outside-packages.ts';
import { type Expectation, type PluginCase, parseCases } from './parse-cases.ts';

export type CaseFile = {
  path: string;
  cases: PluginCase[];
  /** where `--update` writes: the file itself when it is JSON, else one beside it */
  answers: string;
};

const ending = /\.cases\.(json|ts|js)$/;

export type CaseReader = {
  sdkFolder: string;
  /** codes that a call may fail with */
  errorCodes: readonly string[];
  load: LoadTool;
  /** Runs a module without any permission, and gives what it wrote to standard output. */
  run(program: string): Promise<string>;
  signal: AbortSignal;
};

/** @throws {BuildError} `not-found` without a file of cases */
export async function findCases(folder: string, reader: CaseReader): Promise<CaseFile[]> {
  const names = readdirSync(folder)
    .filter((name) => ending.test(name))
    .sort();
  if (names.length === 0) {
    throw new BuildError(`there are no cases in ${folder}`, {
      code: 'not-found',
      hint: 'Write NAME.cases.json: [{"name": "…", "tool": "…", "input": {}, "expect": {"content": …}}]',
    });
  }
  const found: CaseFile[] = [];
  for (const name of names) found.push(await readCases(join(folder, name), reader));
  return found;
}

async function readCases(path: string, reader: CaseReader): Promise<CaseFile> {
  if (path.endsWith('.json')) {
    return { path, cases: parseCases(parseText(path), path, reader.errorCodes), answers: path };
  }
  const answers = path.replace(/\.[jt]s$/, '.answers.json');
  const kept = (existsSync(answers) ? parseText(answers) : {}) as Record<string, Expectation>;
  const cases = parseCases(await evaluate(path, reader), path, reader.errorCodes).map((each) =>
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
    throw new BuildError(`${path}: ${reasonOf(thrown)}`, {
      cause: thrown,
      hint: 'Correct the JSON of the cases.',
    });
  }
}

/** The default export of a file of cases, read in a process without any permission. */
async function evaluate(path: string, reader: CaseReader): Promise<unknown> {
  const { load, run, sdkFolder, signal } = reader;
  const { build } = await load<typeof import('esbuild')>('esbuild');
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
    alias: { '@cuervo/sdk/testing': join(sdkFolder, 'testing/cases.ts') },
  }).catch((thrown: unknown) => {
    throw asAuthors(path, reasonOf(thrown), thrown);
  });
  const outside = outsideProject(made.metafile, { folder: dirname(resolve(path)), sdkFolder });
  if (outside !== undefined) {
    throw new BuildError(`${path}: ${outside}`, {
      hint: 'Cases are read with files of their own project alone.',
    });
  }
  try {
    return JSON.parse(await run(made.outputFiles[0]?.text ?? ''));
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const reason = thrown instanceof SyntaxError ? 'it exports no list of cases' : reasonOf(thrown);
    throw asAuthors(path, reason, thrown);
  }
}

function asAuthors(path: string, reason: string, cause: unknown): BuildError {
  return new BuildError(`${path}: ${reason}`, {
    cause,
    hint: 'Its default export is a list of cases.',
  });
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
