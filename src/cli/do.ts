import type { Command } from 'commander';
import type { JsonObject } from '../contracts/tool.ts';
import { addedSecrets, changedNames, type Place } from '../kernel/skills/read-patch.ts';
import {
  findSkill,
  type Skill,
  skillQuestion,
  withoutModel,
} from '../kernel/skills/skill-commands.ts';
import type { Kernel } from '../kernel.ts';
import { parseContent } from '../lib/text/parse-json.ts';
import { type AskFlags, addModelFlags, ask, modelOptions } from './ask.ts';
import { listenForInterrupt } from './interrupt.ts';
import {
  addCommonFlags,
  addDryRunFlag,
  addRecordFlag,
  type CommonFlags,
  kernelOptions,
} from './kernel-options.ts';
import { oweWork } from './lost-output.ts';
import { afterCommand, openKernel } from './open-kernel.ts';
import { note, oneLine, print, printJson, tellError } from './output.ts';
import { startProgress } from './progress.ts';
import { runTool } from './run.ts';
import { diffLine } from './style.ts';

const examples = `
Examples:
  cuervo do review                      of what is uncommitted
  cuervo do explain src/retry.ts
  cuervo do fix "the test of the parser"
  cuervo do test --model ollama/qwen3:4b

Without a model it does what it can: the patch, its secrets and tests, a run of the tests.
`;

export function addDoCommand(program: Command): void {
  const command = addModelFlags(
    program.command('do <skill> [words...]').description('follow a recipe; see cuervo skill list'),
  ).addHelpText('after', examples);
  addRecordFlag(addDryRunFlag(addCommonFlags(command))).action(
    async (name: string, words: string[], flags: AskFlags) => await followSkill(name, words, flags),
  );
}

async function followSkill(name: string, words: string[], flags: AskFlags): Promise<void> {
  let skill: Skill;
  let isModel: boolean;
  {
    const { workspace } = flags;
    const options = { ...(workspace === undefined ? {} : { workspace }), ...modelOptions(flags) };
    await using kernel = await openKernel(options);
    ({ skill } = findSkill(name, kernel.config));
    isModel = (await kernel.modelName()) !== 'none';
  }
  if (isModel)
    await ask({ question: skillQuestion(skill, words.join(' ')) }, { ...flags, skill: name });
  else await doWithoutModel(skill, words.join(' '), flags);
}

/** @throws {KernelError} `unavailable` for a skill that is nothing without a model */
export async function doWithoutModel(skill: Skill, words: string, flags: AskFlags): Promise<void> {
  const { ask: question, run } = withoutModel(skill, words);
  if (question !== undefined) await ask({ question }, flags);
  else if (skill.name === 'review') await reviewChanges(flags);
  else await runTool(run, [], flags);
  if (!flags.quiet && !flags.json)
    note(`no model is in use: that is what ${skill.name} can do without`);
}

/** Places of each name that are shown. */
const maxPlaces = 5;

/**
 * What can be said of uncommitted changes without a model: the patch, the secrets that it adds, who
 * uses what it changed, and the tests that name it.
 */
async function reviewChanges(flags: CommonFlags): Promise<void> {
  oweWork();
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  using progress = startProgress(!flags.quiet && !flags.json);
  await using kernel = await openKernel(kernelOptions(flags, progress));
  const call = (tool: string, input: JsonObject) =>
    resultOf(kernel, tool, input, { flags, signal });
  const diff = (await call('git.diff', { from: 'HEAD' })) as { patch?: string } | undefined;
  progress.clear();
  if (diff === undefined || flags.json) return;
  const patch = diff.patch ?? '';
  if (patch === '') {
    note('nothing is changed; files that git does not know yet are not looked at');
    return;
  }
  for (const line of oneByOne(patch)) print(diffLine(line, 'stdout'));
  for (const { kind, path, line } of addedSecrets(patch))
    print(`\nadds a secret (${kind}): ${oneLine(path)}:${line}`);
  for (const name of changedNames(patch)) {
    const found = (await call('search.references', { name })) as
      | { references?: Place[] }
      | undefined;
    const places = found?.references ?? [];
    const tests = places.filter(({ path }) => isTest.test(path));
    const users = places.filter((place) => !tests.includes(place));
    print(`\n${oneLine(name)}`);
    print(`  used in   ${placesText(users)}`);
    print(`  tested in ${placesText(tests)}`);
  }
  await afterCommand(kernel, { signal, quiet: flags.quiet });
}

/** Paths of tests as the usual runners find them. */
const isTest = /(?:^|\/)(?:tests?|spec|__tests__)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]*$/;

function oneByOne(patch: string): string[] {
  return patch.trimEnd().split('\n').map(oneLine);
}

function placesText(places: readonly Place[]): string {
  if (places.length === 0) return 'nothing that was found';
  const shown = places.slice(0, maxPlaces).map(({ path, line }) => oneLine(`${path}:${line}`));
  const more = places.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** @returns undefined where it failed, which is told */
async function resultOf(
  kernel: Kernel,
  tool: string,
  input: JsonObject,
  { flags, signal }: { flags: CommonFlags; signal: AbortSignal },
): Promise<unknown> {
  let content: unknown;
  for await (const event of kernel.run(tool, input, { signal })) {
    if (flags.json) printJson(event);
    if (event.type === 'result') content = parseContent(event.content);
    if (event.type === 'error') {
      if (!flags.json) tellError(event, { json: false });
      process.exitCode = 1;
    }
    if (event.type === 'run-finished' && event.exitCode !== 0) process.exitCode = event.exitCode;
  }
  return content;
}
