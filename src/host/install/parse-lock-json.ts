import { KernelError } from '../../contracts/error.ts';

/**
 * The JSON of a lock file of this version, nothing of it checked further.
 *
 * @throws {KernelError} `plugin-fault` naming a mark of git, or the newer version that wrote it
 */
export function parseLockJson(text: string, path: string): unknown {
  const lines = text.split('\n');
  const mark = lines.findIndex((line) => /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/.test(line));
  if (mark >= 0) {
    throw new KernelError(
      'plugin-fault',
      `${path} line ${mark + 1} is a mark of a merge conflict`,
      {
        hint: 'Settle the conflict and remove the marks; each plugin is in it once, by name.',
      },
    );
  }
  let value: unknown;
  try {
    // Some editors write a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    throw new KernelError('plugin-fault', `${path} is not JSON${placeOf(thrown)}`, {
      hint: `Restore ${path}, or remove it and install the plugins again.`,
    });
  }
  const version = (value as { lockVersion?: unknown } | null)?.lockVersion;
  if (typeof version !== 'number' || version <= 1) return value;
  const message = `${path} was written by a newer cuervo: it has version ${version}, this one reads 1`;
  throw new KernelError('plugin-fault', message, {
    hint: 'Update cuervo, or restore the file of before.',
  });
}

/** As Node words it: `… (line 3 column 5)`. */
function placeOf(thrown: unknown): string {
  const place = /\(line \d+ column \d+\)/.exec(thrown instanceof Error ? thrown.message : '')?.[0];
  return place === undefined ? '' : ` ${place}`;
}
