import { basename, join } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import type { ListedSkill } from '../../contracts/output/parse-setup.ts';
import { findSkills, readSkillFolder, skillNamed, skillPlaces } from '../../skills/find-skills.ts';
import { parseSkill, type Skill } from '../../skills/parse-skill.ts';

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
  // Nobody has agreed yet to a project skill's work without a model.
  const kept = source === 'project' ? { withoutModel: undefined } : {};
  const others = read.folder.files.filter((file) => file !== 'SKILL.md');
  return {
    ...{ skill: { ...read.skill, ...kept }, text: read.folder.text },
    beside: others.map((file) => join(folder, file)),
  };
}

/** What a person asks for who names a skill. */
export function skillQuestion({ name }: Pick<Skill, 'name'>, words: string): string {
  return `Follow the recipe ${name}${words === '' ? '' : `: ${words}`}`;
}

/**
 * What a skill does where no model is used: a question, or a tool without an input.
 *
 * @throws {KernelError} `unavailable` for a skill that needs a model
 */
export function withoutModel(
  skill: Skill,
  words: string,
): { ask: string; run?: never } | { run: string; ask?: never } {
  const [, kind, rest = ''] = /^(run|ask) (.+)$/s.exec(skill.withoutModel ?? '') ?? [];
  const lacksWords = kind === 'ask' && rest.includes('…') && words === '';
  if (kind !== undefined && !lacksWords)
    return kind === 'ask' ? { ask: rest.replace('…', words) } : { run: rest };
  const why = lacksWords ? 'needs words where no model is used' : 'needs a model';
  throw new KernelError('unavailable', `the skill ${skill.name} ${why}`, {
    hint: lacksWords ? `cuervo do ${skill.name} WORDS` : 'Find one with: cuervo init',
  });
}

/** @throws {KernelError} `invalid-argument` with what is wrong in a folder */
export function checkSkill(folder: string): Skill {
  return parseSkill(readSkillFolder(folder).text, basename(folder));
}
