import type { Command } from 'commander';
import {
  findSkill,
  type Skill,
  skillQuestion,
  withoutModel,
} from '../kernel/skills/skill-commands.ts';
import { type AskFlags, addModelFlags, ask, modelOptions } from './ask.ts';
import { addCommonFlags, addDryRunFlag, addRecordFlag } from './kernel-options.ts';
import { openKernel } from './open-kernel.ts';
import { note } from './output.ts';
import { reviewChanges } from './review-changes.ts';
import { runTool } from './run.ts';

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
