import { constants, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../contracts/config.ts';
import { KernelError } from '../contracts/error.ts';
import { namesIn } from '../lib/files/folders.ts';
import { homeFolder } from '../lib/files/paths.ts';
import { entriesIn } from '../lib/files/raw-fs.ts';
import { isLink } from '../lib/files/read-file.ts';
import { sha256 } from '../lib/sha256.ts';
import { parseSkill, type Skill } from './parse-skill.ts';

export type SkillSource = 'shipped' | 'yours' | 'project';

export type FoundSkill = {
  name: string;
  source: SkillSource;
  folder: string;
  /** why it is not used; the rest of it is absent then */
  fault?: string;
  read?: { skill: Skill; folder: SkillFolder };
};

export type SkillPlaces = {
  /** folder of those that ship */
  shipped: string;
  /** of the person */
  userHome: string;
  /** `CUERVO_HOME` */
  home: string;
  workspace: string;
};

/** Where this person's skills lie, and those of the workspace. */
export function skillPlaces({
  paths,
  home,
  workspace,
}: Pick<Config, 'paths' | 'home' | 'workspace'>): SkillPlaces {
  return { shipped: paths.skills, userHome: homeFolder(), home, workspace };
}

const maxSkills = 200;

/** All skills, those that ship first. The first one of a name has it. */
export function findSkills(places: SkillPlaces): FoundSkill[] {
  const found: FoundSkill[] = [];
  const owners = new Map<string, SkillSource>();
  for (const [source, place] of foldersOf(places)) {
    // What a project links to is not what a person reads in it.
    if (source === 'project' && isLink(place)) continue;
    for (const name of namesIn(place).sort().slice(0, maxSkills)) {
      const folder = join(place, name);
      const owner = owners.get(name);
      if (name.startsWith('.')) continue;
      if (owner === undefined) owners.set(name, source);
      const read = owner === undefined ? readOne(folder, name) : { fault: takenBy(owner) };
      found.push({ name, source, folder, ...read });
    }
  }
  return found;
}

/** @throws {KernelError} `not-found`, or `invalid-argument` for one that is not used */
export function skillNamed(
  name: string,
  places: SkillPlaces,
): FoundSkill & Required<Pick<FoundSkill, 'read'>> {
  const all = findSkills(places);
  const found = all.find((each) => each.name === name);
  if (found === undefined) {
    const names = all.map((each) => each.name);
    throw KernelError.unknownName(`there is no skill "${name}"`, {
      ...{ name, names, hint: 'See them with: cuervo skill list' },
    });
  }
  if (found.read !== undefined) return { ...found, read: found.read };
  throw new KernelError('invalid-argument', `the skill "${name}" is not used: ${found.fault}`, {
    hint: `Look at it: ${found.folder}`,
  });
}

function foldersOf({ shipped, userHome, home, workspace }: SkillPlaces): [SkillSource, string][] {
  return [
    ['shipped', shipped],
    ['yours', join(home, 'skills')],
    ['yours', join(userHome, '.agents', 'skills')],
    ['project', join(workspace, '.agents', 'skills')],
    ['project', join(workspace, '.claude', 'skills')],
  ];
}

function readOne(folder: string, name: string): Pick<FoundSkill, 'read' | 'fault'> {
  try {
    const read = readSkillFolder(folder);
    return { read: { skill: parseSkill(read.text, name), folder: read } };
  } catch (thrown) {
    return { fault: KernelError.from(thrown, 'unavailable').message };
  }
}

function takenBy(owner: SkillSource): string {
  const who = {
    shipped: 'a skill that ships',
    yours: 'one of yours',
    project: 'another one of the project',
  };
  return `${who[owner]} has this name`;
}

/** A folder of a skill, read once, so that what was agreed to is what is used. */
export type SkillFolder = {
  /** of SKILL.md */
  text: string;
  /** of all files and their names */
  digest: string;
  /** paths relative to the folder */
  files: string[];
};

const maxFiles = 200;
const maxBytes = 4 * 1024 * 1024;
/** Of SKILL.md, which a model is sent whole. */
const maxTextBytes = 64 * 1024;

/** A link or a pipe that came meanwhile is an error, and nothing that is waited for. */
const unfollowed = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** @throws {KernelError} `invalid-argument` for a link, a pipe, or more than there may be */
export function readSkillFolder(folder: string): SkillFolder {
  if (isLink(folder)) throw refused('the folder is a link');
  const files = filesBelow(folder).sort();
  if (!files.includes('SKILL.md')) throw refused('there is no SKILL.md');
  let bytes = 0;
  let text = '';
  const lines: string[] = [];
  for (const file of files) {
    const path = join(folder, file);
    bytes += lstatSync(path).size;
    if (bytes > maxBytes) throw refused(`it has more than ${maxBytes} bytes`);
    const content = readFileSync(path, { flag: unfollowed });
    if (file === 'SKILL.md') {
      if (content.byteLength > maxTextBytes)
        throw refused(`SKILL.md has ${content.byteLength} bytes, limit ${maxTextBytes}`);
      text = content.toString('utf8');
    }
    lines.push(`${sha256(content)} ${JSON.stringify(file)}`);
  }
  return { text, files, digest: sha256(lines.join('\n')) };
}

function filesBelow(
  folder: string,
  below = '',
  found: string[] = [],
  seen = { count: 0 },
): string[] {
  for (const entry of entriesIn(join(folder, below), maxFiles + 1)) {
    seen.count += 1;
    if (seen.count > maxFiles) throw refused(`it has more than ${maxFiles} files and folders`);
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) filesBelow(folder, path, found, seen);
    else if (entry.isFile()) found.push(path);
    else throw refused(`${path} is ${entry.isSymbolicLink() ? 'a link' : 'no regular file'}`);
  }
  return found;
}

function refused(why: string): KernelError {
  return new KernelError('invalid-argument', why, { hint: 'Correct it, or remove the folder.' });
}
