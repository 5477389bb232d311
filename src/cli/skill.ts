import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../config/load-config.ts';
import type { ListedSkill } from '../contracts/output/parse-setup.ts';
import { checkSkill, findSkill, listSkills } from '../kernel/skills/skill-commands.ts';
import { addFamilyExamples } from './command-families.ts';
import { workspaceOption } from './kernel-options.ts';
import { oneLine, print, printEach, wrapped } from './output.ts';

const examples = `
Examples:
  cuervo skill list                     recipes: those that ship, yours, the project's
  cuervo skill show review              all that a model is told
  cuervo skill check .agents/skills/deploy
  cuervo do review                      uses one
`;

type Flags = { workspace?: string; json?: boolean };

export function addSkillCommand(program: Command): void {
  const skill = program
    .command('skill')
    .description('recipes for models: list, show and check them');
  addFamilyExamples(skill, examples);
  skill
    .command('list')
    .description('list the skills of cuervo, of you and of the project')
    .option('-w, --workspace <dir>', 'the folder of the project')
    .option('--json', 'one object a line')
    .action((flags: Flags) => {
      printEach(listSkills(loadConfig(workspaceOption(flags))), flags, skillLine);
    });
  skill
    .command('show <name>')
    .description('show the text of a skill')
    .option('-w, --workspace <dir>', 'the folder of the project')
    .action((name: string, flags: Flags) => {
      const { text, beside } = findSkill(name, loadConfig(workspaceOption(flags)));
      print(text.trimEnd());
      for (const file of beside) print(`beside it: ${oneLine(file)}`);
    });
  skill
    .command('check <folder>')
    .description('say what is wrong with the folder of a skill')
    .action((typed: string) => {
      const { name, allowedTools } = checkSkill(resolve(typed));
      const tools = allowedTools === undefined ? 'every tool' : allowedTools.join(' ') || 'no tool';
      print(oneLine(`${name} is well formed; a model may call with it: ${tools}`));
    });
}

function skillLine({ name, source, description, fault }: ListedSkill): string {
  const text = description ?? `not used: ${fault}`;
  return wrapped(`${oneLine(name).padEnd(12)}  ${source.padEnd(7)}  `, oneLine(text));
}
