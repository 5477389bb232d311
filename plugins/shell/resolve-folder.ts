import { LineError } from './line-error.ts';

/**
 * The folder that `cd` leads to, by its name alone.
 *
 * @param cwd below the workspace, empty for the workspace itself
 * @returns as `cwd`
 * @throws {LineError} when it would leave the workspace
 */
export function resolveFolder(cwd: string, folder: string): string {
  if (folder === '-') throw new LineError('cd - is not supported');
  if (folder.startsWith('-')) throw new LineError(`cd takes no option and got ${folder}`);
  if (/^[/~\\]/.test(folder)) throw new LineError(`cd ${folder} leads out of the workspace`);
  // Without a folder it goes home, and home is the workspace.
  if (folder === '') return '';
  const path = cwd === '' ? [] : cwd.split('/');
  for (const segment of folder.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') path.push(segment);
    else if (path.pop() === undefined) {
      throw new LineError(`cd ${folder} leads out of the workspace`);
    }
  }
  return path.join('/');
}
