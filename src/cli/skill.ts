import { resolve } from 'node:path';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../config/load-config.ts';
import type { ListedSkill } from '../contracts/output/parse-setup.ts';
import { type FoundSkill, findSkills, skillNamed, skillPlaces } from '../skills/find-skills.ts';
import { parseSkill } from '../skills/parse-skill.ts';
import { readSkillFolder } from '../skills/read-skill-folder.ts';
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
  const skill = program.command('skill').description('recipes for models: list, show and check them');
  addFamilyExamples(skill, examples);
  skill
    .command('list')
    .description('list the skills of cuervo, of you and of the project')
    .option('-w, --workspace <dir>', 'the folder of the project')
    .option('--json', 'one object a line')
    .action((flags: Flags) => {
      const found = findSkills(skillPlaces(loadConfig(workspaceOption(flags))));
      printEach(found.map(listed), flags, skillLine);
    });
  skill
    .command('show <name>')
    .description('show the text of a skill')
    .option('-w, --workspace <dir>', 'the folder of the project')
    .action((name: string, flags: Flags) => {
      const { folder, read } = skillNamed(name, skillPlaces(loadConfig(workspaceOption(flags))));
      print(read.folder.text.trimEnd());
      const others = read.folder.files.filter((file) => file !== 'SKILL.md');
      for (const file of others) print(`beside it: ${oneLine(resolve(folder, file))}`);
    });
  skill
    .command('check <folder>')
    .description('say what is wrong with the folder of a skill')
    .action((typed: string) => {
      const folder = resolve(typed);
      const { name, allowedTools } = parseSkill(readSkillFolder(folder).text, basename(folder));
      const tools = allowedTools === undefined ? 'every tool' : allowedTools.join(' ') || 'no tool';
      print(oneLine(`${name} is well formed; a model may call with it: ${tools}`));
    });
}

function listed({ name, source, folder, fault, read }: FoundSkill): ListedSkill {
  return {
    ...{ name, source, folder },
    ...(fault === undefined ? {} : { fault }),
    ...(read === undefined ? {} : { description: read.skill.description }),
  };
}

function skillLine({ name, source, description, fault }: ListedSkill): string {
  const text = description ?? `not used: ${fault}`;
  return wrapped(`${oneLine(name).padEnd(12)}  ${source.padEnd(7)}  `, oneLine(text));
}
