import type { AskedWorkspace } from '../contracts/questions.ts';
import { pathsIn } from '../lib/text/words.ts';
import type { AskedText } from './kind.ts';
import { askedFolder } from './words/folder-words.ts';
import { isFile } from './words/word-bag.ts';

export const nowhere: AskedWorkspace = {
  path: '/',
  hasFolder: () => false,
  folderCalled: () => undefined,
};

export function askedText(
  text: string,
  workspace: AskedWorkspace = nowhere,
  rest = text,
): AskedText {
  const [path] = pathsIn(text).filter(
    (found) => !found.includes('*') && (found.includes('/') || isFile(found)),
  );
  return {
    ...{ text, rest, path, workspace },
    plain: path === undefined ? text : text.replace(path, 'a.b'),
    told: askedFolder(text, workspace),
  };
}
