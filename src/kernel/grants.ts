import { join } from 'node:path';
import type { Grant } from '../contracts/capability.ts';
import { readTextIfPresent } from '../lib/read-text-if-present.ts';
import { writeFileWhole } from '../lib/write-file-whole.ts';
import { grantsOf } from '../policy/grants-of.ts';
import { formatGrantsFile, type GrantEntry, parseGrantsFile } from '../policy/parse-grants-file.ts';

/** `grants.toml`: what each binary may do; read at every use, because a person may edit it. */
export type GrantsFile = {
  of(plugin: string, digest: string): Grant[];
  set(plugin: string, digest: string, grants: readonly Grant[]): void;
  /** Takes away everything a plugin of this name holds. */
  clear(plugin: string): void;
};

export function openGrants(home: string, clock: { nowMs(): number }): GrantsFile {
  const path = join(home, 'grants.toml');
  const read = (): GrantEntry[] => parseGrantsFile(readTextIfPresent(path) ?? '');
  const write = (entries: readonly GrantEntry[]): void =>
    writeFileWhole(path, formatGrantsFile(entries), { mode: 0o600 });
  return {
    of: (plugin, digest) => grantsOf(read(), { plugin, digest }, clock.nowMs()),
    set: (plugin, digest, grants) => {
      const others = read().filter((entry) => entry.plugin !== plugin);
      const entry = { plugin, digest, capabilities: grants, grantedMs: clock.nowMs() };
      write(grants.length === 0 ? others : [...others, entry]);
    },
    clear: (plugin) => {
      const entries = read();
      const others = entries.filter((entry) => entry.plugin !== plugin);
      if (others.length < entries.length) write(others);
    },
  };
}
