import { constants, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { entriesIn } from '../lib/files/raw-fs.ts';
import { isLink } from '../lib/files/read-file.ts';
import { sha256 } from '../lib/sha256.ts';

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
