import { join } from 'node:path';
import { nobody } from '../../contracts/plugins.ts';
import { changeAlone } from '../../lib/files/lock-file.ts';
import { readTextIfPresent } from '../../lib/files/read-file.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { rememberLast } from '../../lib/memo.ts';
import {
  formatPublishers,
  type Publisher,
  type PublishersFile,
  parsePublishers,
} from './parse-publishers.ts';

/** `publishers.toml`: who a person takes each plugin from; read at every use. */
export type Publishers = {
  of(plugin: string): Publisher[];
  /** The publisher that is pinned for a plugin now. */
  pinned(plugin: string): Publisher | undefined;
  keys(): readonly string[];
  /** Makes this publisher the only one for its plugin. */
  pin(publisher: Omit<Publisher, 'pinned'>): void;
  /** Ends the pin of an unsigned plugin that is removed; the entry keeps the name of its data. */
  unpin(plugin: string): void;
  addKey(key: string): void;
};

export function openPublishers(home: string): Publishers {
  const path = join(home, 'publishers.toml');
  const parse = rememberLast((text) => parsePublishers(text, path));
  const read = (): PublishersFile => {
    const text = readTextIfPresent(path);
    return text === undefined ? { publishers: [], keys: [] } : parse(text);
  };
  /** Locks and writes the file only if something changed. */
  const change = (edit: (file: PublishersFile) => PublishersFile): void => {
    const changed = (): string | undefined => {
      const now = read();
      const text = formatPublishers(edit(now));
      return text === formatPublishers(now) ? undefined : text;
    };
    if (changed() === undefined) return;
    changeAlone(path, () => {
      const text = changed();
      if (text !== undefined) writeFileWhole(path, text, { mode: 0o600 });
    });
  };
  const of = (plugin: string): Publisher[] =>
    read().publishers.filter((each) => each.plugin === plugin);
  return {
    of,
    pinned: (plugin) => of(plugin).find(({ pinned }) => pinned),
    keys: () => read().keys,
    pin: (publisher) =>
      change(({ publishers, keys }) => {
        const others = publishers
          .filter((each) => each.plugin !== publisher.plugin || each.data !== publisher.data)
          .map((each) => (each.plugin === publisher.plugin ? { ...each, pinned: false } : each));
        const all = [...others, { ...publisher, pinned: true }];
        return { keys, publishers: all.toSorted((a, b) => (a.plugin < b.plugin ? -1 : 1)) };
      }),
    unpin: (plugin) => {
      if (!of(plugin).some(({ pinned, identity }) => pinned && identity === nobody)) return;
      change(({ publishers, keys }) => ({
        keys,
        publishers: publishers.map((each) =>
          each.plugin === plugin && each.identity === nobody ? { ...each, pinned: false } : each,
        ),
      }));
    },
    addKey: (key) =>
      change(({ publishers, keys }) => ({ publishers, keys: [...new Set([...keys, key])] })),
  };
}

/** The first data name that no publisher of a plugin uses. */
export function freeDataName(plugin: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plugin : `${plugin}~${number}`;
    if (!taken.includes(name)) return name;
  }
}
