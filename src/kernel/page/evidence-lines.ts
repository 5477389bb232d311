import type { Config } from '../../contracts/config.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import type { BatchKeeper } from '../../contracts/file-changes.ts';
import { openRootFiles } from '../../host/root-files.ts';
import { protectedBelow, rootFolders, workRoot } from '../../lib/files/paths.ts';
import { looksBinary } from '../../lib/text/decode-text.ts';
import type { PageEvidence } from '../../page/views.ts';

type Place = { path: string; line: number; endLine: number };

const maxPlaces = 50;
const maxLines = 40;

/** The page changes nothing. */
const keeper: BatchKeeper = {
  keep: () => {
    throw new Error('the page keeps nothing');
  },
  recordAll: () => Promise.reject(new Error('the page changes nothing')),
};

/** The lines that an answer names, as the files have them now; none of a protected file. */
export function evidenceLines(config: Config, places: readonly Place[]): PageEvidence[] {
  const gate = createContentGate(protectedBelow(config));
  using files = openRootFiles(rootFolders([workRoot], config), { keeper, run: undefined });
  const textOf = ({ path, line, endLine }: Place): Pick<PageEvidence, 'text' | 'note'> => {
    if (!gate.shows({ root: workRoot, path }, 'person')) return { note: 'not shown: protected' };
    try {
      // What a link names is not what was read.
      if (files.stateOf({ root: workRoot, path }).kind !== 'file')
        return { note: 'the file is gone' };
      const bytes = files.read({ root: workRoot, path });
      if (bytes === undefined || looksBinary(bytes)) return { note: 'it holds no text now' };
      const lines = Buffer.from(bytes).toString('utf8').split('\n');
      const end = Math.min(endLine, line + maxLines - 1);
      return { text: lines.slice(line - 1, end).join('\n') };
    } catch (thrown) {
      return { note: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  };
  return places.slice(0, maxPlaces).map(({ path, line, endLine }) => ({
    path,
    line,
    endLine,
    ...textOf({ path, line, endLine }),
  }));
}
