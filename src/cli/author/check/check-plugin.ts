import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, hasToml } from '../../../../sdk/languages/build-folder.ts';
import { languageOf } from '../../../../sdk/languages/language.ts';
import { KernelError } from '../../../contracts/error.ts';
import type { JsonObject } from '../../../contracts/tool.ts';
import { openKernel } from '../../../kernel.ts';
import { readTextIfPresent } from '../../../lib/files/read-file.ts';
import { whyRefusedInput } from '../../../lib/input/fit-input.ts';
import { binarySize } from '../binary-size.ts';
import { buildAny } from '../build-any.ts';
import { callsOfCases } from './calls-of-cases.ts';
import { compareBuilds } from './compare-builds.ts';
import type { CheckOptions, Finding } from './finding.ts';

/** Bytes that a user wonders about: an engine of JavaScript has 1.3 MB, one of Python 18. */
const largeBytes = 5_000_000;
const largePythonBytes = 25_000_000;
/** A heading of the page that `plugin new` writes. */
const templateHeading = '\n## Edit, test, run\n';
const minDescription = 15;
const minWhy = 12;
/** A description that its author still has to write; one may well speak of such words. */
const unwritten =
  /^\W*(?:todo|fixme|tbd)\b|^(?:(?:an?|the|my) )?(?:plugin|tool|description)\b.{0,8}$/i;

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
  const isToml = hasToml(folderOf(dir));
  return [
    ...describedWell('the plugin', manifest.description),
    ...licence(manifest, isToml),
    ...page(folderOf(dir)),
    ...size(built.bytes, isToml && languageOf(folderOf(dir)) === 'python'),
    ...record.wants.flatMap(explained),
    ...built.notes.map((what): Finding => ({ level: 'note', what })),
    ...record.tools.flatMap((tool) => [
      ...describedWell(`the tool ${tool.name}`, tool.description),
      ...examples(tool, isToml),
    ]),
    ...(await effects(options, built, record.tools, isToml)),
    ...(await compareBuilds(options, built.file)),
  ];
}

function describedWell(who: string, description: string): Finding[] {
  const text = description.trim();
  if (text.length < minDescription || unwritten.test(text)) {
    return [
      {
        level: 'fix',
        what: `${who} is described as "${text}"`,
        fix: 'Say in one sentence what it does and of what: people and models choose by it.',
      },
    ];
  }
  return [];
}

function licence({ licence: name }: { licence?: string }, isToml: boolean): Finding[] {
  if (name !== undefined) return [{ level: 'ok', what: `licence ${name}` }];
  const fix = `Add one by its SPDX name: ${isToml ? 'licence = "MIT"' : "licence: 'MIT'"}`;
  return [{ level: 'fix', what: 'it has no licence', fix }];
}

/** The page that people read before they install it, on npm for instance. */
function page(folder: string): Finding[] {
  const text = readTextIfPresent(join(folder, 'README.md'));
  const fix = 'Say what it does for the people who install it: the page goes out with the plugin.';
  if (text === undefined) return [{ level: 'note', what: 'it has no README.md', fix }];
  if (!text.includes(templateHeading)) return [];
  return [{ level: 'note', what: 'README.md is still the page of its author', fix }];
}

function size(bytes: number, isPython: boolean): Finding[] {
  const text = `${binarySize(bytes)}${isPython ? ', with the interpreter of Python' : ''}`;
  if (bytes <= (isPython ? largePythonBytes : largeBytes)) return [{ level: 'ok', what: text }];
  return [
    {
      level: 'note',
      what: `it has ${text}, and most have below 2 MB`,
      fix: isPython
        ? 'Drop packages that are not used.'
        : 'QuickJS is smaller than StarlingMonkey; strip debug information; drop what is not used.',
    },
  ];
}

function explained({ capability, why }: { capability: string; why: string }): Finding[] {
  const text = why.trim();
  const isOnlyName =
    text.toLowerCase().replace(/[^a-z]/g, '') === capability.replace(/[^a-z]/g, '');
  if (text.length >= minWhy && !isOnlyName) return [];
  return [
    {
      level: 'fix',
      what: `it wants ${capability} because "${text}"`,
      fix: 'Say what for, in words of the user: "reads the files whose words it counts".',
    },
  ];
}

type CheckedTool = {
  name: string;
  inputSchema: JsonObject;
  examples: JsonObject[];
  effect: string;
};

function examples({ name, inputSchema, examples: given }: CheckedTool, isToml: boolean): Finding[] {
  if (given.length === 0) {
    return [
      {
        level: 'fix',
        what: `the tool ${name} has no example`,
        fix: `Add an input to learn from: examples${isToml ? ' =' : ':'} [{ … }]`,
      },
    ];
  }
  return given.flatMap((example): Finding[] => {
    const reason = whyRefusedInput(name, inputSchema, example);
    if (reason === undefined) return [];
    const what = `an example does not pass the schema: ${reason}`;
    return [{ level: 'fix', what, fix: 'Correct the example or the schema.' }];
  });
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
