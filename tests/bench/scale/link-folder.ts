import { linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * The folder once more, each file of it under a second name: LanceDB never writes to a file that is
 * there, so that a table of gigabytes is worked on at no cost and kept as it was.
 *
 * @param to on the same disk
 */
export function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const place = join(to, relative(from, path));
    if (entry.isDirectory()) mkdirSync(place, { recursive: true });
    else {
      mkdirSync(join(place, '..'), { recursive: true });
      linkSync(path, place);
    }
  }
}
