import { basename, join } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import type { ListedSkill } from '../../contracts/output/parse-setup.ts';
import { findSkills, skillNamed, skillPlaces } from '../../skills/find-skills.ts';
import { parseSkill, type Skill } from '../../skills/parse-skill.ts';
import { readSkillFolder } from '../../skills/read-skill-folder.ts';

type Places = Pick<Config, 'paths' | 'home' | 'workspace'>;

export type { Skill } from '../../skills/parse-skill.ts';

/** All of them, also those that are not used and why. */
export function listSkills(config: Places): ListedSkill[] {
  return findSkills(skillPlaces(config)).map(({ name, source, folder, fault, read }) => ({
    ...{ name, source, folder },
    ...(fault === undefined ? {} : { fault }),
    ...(read === undefined ? {} : { description: read.skill.description }),
  }));
}

/** @throws {KernelError} `not-found`, or `invalid-argument` for one that is not used */
export function findSkill(
  name: string,
  config: Places,
): { skill: Skill; text: string; beside: string[] } {
  const { folder, read, source } = skillNamed(name, skillPlaces(config));
  // Nobody agreed yet to what a project has done without a model.
  const kept = source === 'project' ? { withoutModel: undefined } : {};
  const others = read.folder.files.filter((file) => file !== 'SKILL.md');
  return {
    ...{ skill: { ...read.skill, ...kept }, text: read.folder.text },
    beside: others.map((file) => join(folder, file)),
  };
}

/** @throws {KernelError} `invalid-argument` with what is wrong in a folder */
export function checkSkill(folder: string): Skill {
  return parseSkill(readSkillFolder(folder).text, basename(folder));
}
