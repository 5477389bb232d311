import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { compareBuilds } from '../../../sdk/author/compare-builds.ts';
import { findCases } from '../../../sdk/author/find-cases.ts';
import { type CheckedTool, type Finding, judgePlugin } from '../../../sdk/author/judge-plugin.ts';
import type { Engine } from '../../../sdk/build/componentize.ts';
import { folderOf, hasToml } from '../../../sdk/languages/build-folder.ts';
import { languageOf } from '../../../sdk/languages/language.ts';
import { effectAllows, leastEffect } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import type { Effect } from '../../contracts/tool.ts';
import { openKernel } from '../../kernel.ts';
import { whyRefusedInput } from '../../lib/check-input.ts';
import { binarySize } from '../../lib/text/amounts.ts';
import { buildAny } from './build-any.ts';
import { caseReader, triedFolder } from './load-build-tool.ts';
import { runCase } from './run-case.ts';

type CheckOptions = {
  dir: string;
  engine?: Engine | undefined;
  watch: (child: ChildProcess) => void;
  signal: AbortSignal;
};

/** @throws {KernelError} when it does not build or would be refused */
export async function checkPlugin(options: CheckOptions): Promise<Finding[]> {
  const { dir, signal } = options;
  const built = await buildAny({ ...options, named: dir });
  await using kernel = await openKernel({ plugins: [built.file] });
  const report = await kernel.plugins.inspect(built.file, { signal });
  const [record] = kernel.plugins.tried();
  if (record === undefined || report.verdict === 'refused') {
    throw new KernelError('plugin-fault', `it would be refused: ${report.reasons.join('; ')}`, {
      hint: 'See all of it with: cuervo plugin inspect',
    });
  }
  const { manifest } = built;
  const folder = folderOf(dir);
  const isToml = hasToml(folder);
  return [
    ...judgePlugin({
      folder,
      isToml,
      isPython: isToml && languageOf(folder) === 'python',
      description: manifest.description,
      licence: manifest.licence,
      bytes: built.bytes,
      size: binarySize(built.bytes),
      wants: record.wants,
      tools: record.tools,
      whyRefused: whyRefusedInput,
    }),
    ...built.notes.map((what): Finding => ({ level: 'note', what })),
    ...(await effects(options, built, record.tools, isToml)),
    ...(await compareBuilds(folder, built.file, (copy, out) =>
      buildAny({
        ...options,
        named: copy,
        label: 'building it once more, elsewhere',
        out,
        fresh: true,
      }),
    )),
  ];
}

/** Compares the effects of the cases with the promises of the tools. */
async function effects(
  options: CheckOptions,
  built: { file: string; manifest: { name: string } },
  tools: readonly CheckedTool[],
  isToml: boolean,
): Promise<Finding[]> {
  const folder = folderOf(options.dir);
  if (!readdirSync(folder).some((name) => /\.cases\.(json|ts|js)$/.test(name))) {
    return [
      {
        level: 'fix',
        what: 'it has no cases, so nothing shows that it works',
        fix: 'Write NAME.cases.json beside it and run: cuervo plugin test',
      },
    ];
  }
  const { tooLow, ran } = await callsOfCases({ folder, ...built, signal: options.signal }, tools);
  const untested = tools.filter(({ name }) => !ran.has(name)).map(({ name }) => name);
  return [
    ...tooLow.map(
      ({ tool, call, effect, needed }): Finding => ({
        level: 'fix',
        what: `the tool ${tool} promises "${effect}", and ${call} needs "${needed}": the call was denied`,
        fix: `Declare ${isToml ? `effect = "${needed}"` : `effect: '${needed}'`}, or leave out ${call}.`,
      }),
    ),
    ...(untested.length === 0
      ? []
      : [
          {
            level: 'note',
            what: `no case calls ${untested.join(', ')}`,
            fix: 'Add a case for each tool.',
          } satisfies Finding,
        ]),
  ];
}

export type TooLow = { tool: string; call: string; effect: string; needed: string };

/** Runs all cases and looks at the host calls that they made. */
async function callsOfCases(
  options: { folder: string; file: string; manifest: { name: string }; signal: AbortSignal },
  tools: readonly { name: string; effect: string }[],
): Promise<{ tooLow: TooLow[]; ran: ReadonlySet<string> }> {
  const ran = new Set<string>();
  const tooLow = new Map<string, TooLow>();
  for (const { cases } of await findCases(options.folder, caseReader(options.signal))) {
    for (const one of cases) {
      const name = one.tool.split('.').at(-1) ?? one.tool;
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) continue;
      ran.add(name);
      const effect = tool.effect as Effect;
      await runCase(
        one,
        {
          file: options.file,
          plugin: options.manifest.name,
          signal: options.signal,
          tried: triedFolder(),
          onToolEvent: (_, event) => {
            if (event.type !== 'host-call') return;
            const { call } = event.call;
            if (effectAllows(effect, call)) return;
            const needed = leastEffect(call);
            if (needed !== undefined)
              tooLow.set(`${name} ${call}`, { tool: name, call, effect, needed });
          },
        },
        () => undefined,
      );
    }
  }
  return { tooLow: [...tooLow.values()], ran };
}
