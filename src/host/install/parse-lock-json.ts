import { KernelError } from '../../contracts/error.ts';
import { isTooDeep } from '../../lib/text/parse-json.ts';

/** Characters: a lock has some thousand for each plugin. */
const maxLength = 16 * 1024 * 1024;

/**
 * The JSON of a lock file of this version, nothing of it checked further.
 *
 * @throws {KernelError} `plugin-fault` naming a mark of git, the newer version that wrote it, or its
 *   size
 */
export function parseLockJson(text: string, path: string): unknown {
  if (text.length > maxLength) {
    throw unlike(path, `has ${text.length} characters, limit ${maxLength}`);
  }
  if (isTooDeep(text)) throw unlike(path, 'is nested too deep');
  let value: unknown;
  try {
    // Some editors write a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    refuseMarks(text, path);
    throw unlike(path, `is not JSON${placeOf(thrown)}`);
  }
  if (typeof value !== 'object' || value === null) throw unlike(path, 'is not a JSON object');
  const version = (value as { lockVersion?: unknown }).lockVersion;
  if (typeof version !== 'number' || version <= 1) return value;
  const message = `${path} was written by a newer cuervo: it has version ${version}, this one reads 1`;
  throw new KernelError('plugin-fault', message, {
    hint: 'Update cuervo, or restore the file of before.',
  });
}

function refuseMarks(text: string, path: string): void {
  const mark = /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/m.exec(text);
  if (mark === null) return;
  const line = text.slice(0, mark.index).split('\n').length;
  throw new KernelError('plugin-fault', `${path} line ${line} is a mark of a merge conflict`, {
    hint: 'Settle the conflict and remove the marks; each plugin is in it once, by name.',
  });
}

function unlike(path: string, what: string): KernelError {
  return new KernelError('plugin-fault', `${path} ${what}`, {
    hint: `Restore ${path}, or remove it and install the plugins again.`,
  });
}

/** As Node words it: `… (line 3 column 5)`. */
function placeOf(thrown: unknown): string {
  const place = /\(line \d+ column \d+\)/.exec(thrown instanceof Error ? thrown.message : '')?.[0];
  return place === undefined ? '' : ` ${place}`;
}
