import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseLock } from '../../src/host/install/parse-lock.ts';
import { type Files, openPlace, type Place } from './place.ts';

/** What the places of one test file prepared. */
const shared = mkdtempSync(join(tmpdir(), 'cuervo-prepared-'));
process.once('exit', () => rmSync(shared, { recursive: true, force: true }));

/**
 * A place whose home has what the places before it prepared of the plugins that they installed, as
 * after an install that was taken back: to prepare one takes seconds, and an install checks each
 * file of it again.
 */
export function openPreparedPlace(files: Files = {}): Place {
  const place = openPlace(files);
  mkdirSync(place.home, { mode: 0o700 });
  cpSync(shared, join(place.home, 'prepared'), { recursive: true });
  return {
    ...place,
    [Symbol.dispose]: () => {
      collect(place.home);
      place[Symbol.dispose]();
    },
  };
}

function collect(home: string): void {
  const lock = join(home, 'plugins.lock');
  if (!existsSync(lock)) return;
  for (const record of parseLock(readFileSync(lock, 'utf8'), lock).plugins) {
    const folder = join(shared, record.sha256);
    if (existsSync(folder)) continue;
    cpSync(join(home, 'plugins', record.sha256), folder, { recursive: true });
    writeFileSync(join(folder, 'record.json'), JSON.stringify(record));
  }
}
