import { counted } from './counted.ts';

/** What lies directly in a folder: a file, or a folder with all that is below it. */
export type Part = { path: string; kind: 'file' | 'directory'; size: number; files?: number };

/**
 * Files put together by what lies directly in a folder, the largest first.
 *
 * @param below the folder with its slash, which all paths begin with; empty for the workspace
 */
export function partsOf(files: readonly { path: string; size: number }[], folder: string): Part[] {
  const parts = new Map<string, Part>();
  for (const { path, size } of files) {
    const slash = path.indexOf('/', folder.length);
    const name = slash < 0 ? path : path.slice(0, slash);
    const part = parts.get(name) ?? emptyPart(name, slash < 0);
    part.size += size;
    if (part.files !== undefined) part.files += 1;
    parts.set(name, part);
  }
  return [...parts.values()].sort((one, other) => other.size - one.size);
}

function emptyPart(path: string, isFile: boolean): Part {
  return isFile ? { path, kind: 'file', size: 0 } : { path, kind: 'directory', size: 0, files: 0 };
}

/** `src: 12 files, 3400 bytes, 90 lines`; what is not known is left out, and `.` for the workspace. */
export function sizeSummary(
  path: string,
  { files, size, lines }: { files?: number; size?: number; lines?: number },
): string {
  const known = [
    ...(files === undefined ? [] : [counted(files, 'file')]),
    ...(size === undefined ? [] : [counted(size, 'byte')]),
    ...(lines === undefined ? [] : [counted(lines, 'line')]),
  ].join(', ');
  const place = path === '.' ? '' : `${path}: `;
  return `${place}${known}${files === undefined ? '' : ' (without hidden and ignored files)'}`;
}
