import { existsSync } from 'node:fs';
import { reasonOf } from '../../contracts/error.ts';
import type { Finding } from '../../contracts/output/parse-setup.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import { openPluginStore } from '../../host/install/plugin-store.ts';
import { moveAway } from '../../lib/files/folders.ts';
import { shellWord } from '../../lib/text/escape.ts';

/**
 * Checks that every plugin of a folder is what its lock says.
 *
 * @param heldBy grants of a plugin, which installing it again would otherwise take away
 */
export function checkPlugins(
  folder: string,
  builtin: boolean,
  heldBy: (record: PluginRecord) => readonly string[],
): Finding[] {
  const name = builtin ? 'built-in plugins' : 'installed plugins';
  const rebuild = 'npm run build';
  const store = openPluginStore(folder);
  let records: PluginRecord[];
  try {
    records = store.list();
  } catch (thrown) {
    const lock = `${folder}/plugins.lock`;
    const fix = builtin ? rebuild : moveAway(lock);
    return [{ name, status: 'fail', finding: reasonOf(thrown), fix }];
  }
  if (records.length === 0) {
    return builtin
      ? [{ name, status: 'fail', finding: `there are none in ${folder}`, fix: rebuild }]
      : [{ name, status: 'ok', finding: 'none' }];
  }
  return records.map((record) => {
    const about = { name: `plugin ${record.name}` };
    const what = `${record.version}, ${builtin ? 'built in' : 'installed'}, ${record.sha256.slice(0, 12)}`;
    try {
      store.verify(record, { isQuick: true });
      return { ...about, status: 'ok', finding: `${what}: its files are what the lock says` };
    } catch (thrown) {
      const fix = builtin ? rebuild : reinstall(record, heldBy(record));
      return { ...about, status: 'fail', finding: reasonOf(thrown), fix };
    }
  });
}

/** A plugin whose file is gone can only be removed. */
function reinstall({ name, source }: PluginRecord, held: readonly string[]): string {
  const grants = held.map((grant) => ` --grant ${shellWord(grant)}`).join('');
  return existsSync(source)
    ? `cuervo plugin install ${shellWord(source)}${grants}`
    : `cuervo plugin remove ${name}`;
}
