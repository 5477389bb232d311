import { join } from 'node:path';
import type { Grant } from '../contracts/capability.ts';
import { changeAlone } from '../lib/files/lock-file.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import { rememberLast } from '../lib/memo.ts';
import { grantsOf } from '../policy/decide.ts';
import {
  addGrants,
  appendGrant,
  formatGrantsFile,
  type GrantEntry,
  isExpired,
  parseGrantsFile,
  takeGrants,
} from '../policy/parse-grants-file.ts';

/**
 * `grants.toml`: what each binary may do; read at every use, because a person may edit it.
 * A change is read, made and written while no other process makes one, and drops what has expired.
 */
export type GrantsFile = {
  /** all of them, expired ones, too */
  entries(): GrantEntry[];
  /** @param project the workspace; without one, what holds everywhere */
  of(plugin: string, digest: string, project?: string): Grant[];
  /** As `of`, for many plugins with one reading of the file. */
  reading(): (plugin: string, digest: string) => Grant[];
  /**
   * Replaces all grants of a plugin's name.
   *
   * @param before the binary that can come back, which keeps its own
   */
  set(plugin: string, digest: string, grants: readonly Grant[], before?: string): void;
  /** @param expiresMs ms since the epoch; undefined has no end */
  add(
    holder: { plugin: string; digest: string; project?: string },
    grants: readonly Grant[],
    expiresMs: number | undefined,
  ): void;
  /**
   * Gives another binary of a plugin what one holds and `keeps` lets through, in the same places and
   * until the same times; the one it had them from keeps its own.
   */
  carry(
    plugin: string,
    digests: { from: string; to: string },
    keeps: (grant: Grant) => boolean,
  ): void;
  /**
   * Takes grants away from every binary of a plugin's name; undefined takes all.
   *
   * @param project takes only what holds in that one
   * @returns those that were there, expired ones, too
   */
  take(plugin: string, grants: readonly Grant[] | undefined, project?: string): Grant[];
};

export function grantsPath(home: string): string {
  return join(home, 'grants.toml');
}

/** @param home must be there before anything is changed */
export function openGrants(home: string, clock: { nowMs(): number }): GrantsFile {
  const path = grantsPath(home);
  const read = (): string => readTextIfPresent(path) ?? '';
  const parse = rememberLast(parseGrantsFile);
  const entries = (): GrantEntry[] => [...parse(read())];

  /** Writes only changes: a person may have written the file. */
  const change = (edit: (now: readonly GrantEntry[]) => readonly GrantEntry[]): void =>
    changeAlone(path, () => {
      const text = read();
      const now = parse(text);
      const edited = edit(now);
      if (edited === now) return;
      const left = edited.filter((entry) => !isExpired(entry, clock.nowMs()));
      writeFileWhole(path, textOf(left, now, text), { mode: 0o600 });
    });

  return {
    entries,
    of: (plugin, digest, project) => {
      const holder = { plugin, digest, ...(project === undefined ? {} : { project }) };
      return grantsOf(entries(), holder, clock.nowMs());
    },
    reading: () => {
      const [now, nowMs] = [entries(), clock.nowMs()];
      return (plugin, digest) => grantsOf(now, { plugin, digest }, nowMs);
    },
    set: (plugin, digest, grants, before) =>
      change((now) => {
        const others = now.filter(
          (entry) => entry.plugin !== plugin || (entry.digest === before && before !== digest),
        );
        if (grants.length === 0) return others.length === now.length ? now : others;
        return [...others, { plugin, digest, capabilities: grants, grantedMs: clock.nowMs() }];
      }),
    add: (holder, capabilities, expiresMs) =>
      change((now) =>
        addGrants(now, {
          ...holder,
          capabilities,
          grantedMs: clock.nowMs(),
          ...(expiresMs === undefined ? {} : { expiresMs }),
        }),
      ),
    carry: (plugin, { from, to }, keeps) =>
      change((now) => {
        const carried = now
          .filter((entry) => entry.plugin === plugin && entry.digest === from)
          .map((entry) => ({
            ...entry,
            digest: to,
            capabilities: entry.capabilities.filter(keeps),
            grantedMs: clock.nowMs(),
          }))
          .filter(({ capabilities }) => capabilities.length > 0);
        // Other grants end, also earlier ones of the new binary, since no person was told of them.
        const others = now.filter((entry) => entry.plugin !== plugin || entry.digest === from);
        return carried.reduce<readonly GrantEntry[]>(addGrants, others);
      }),
    take: (plugin, grants, project) => {
      let taken: Grant[] = [];
      change((now) => {
        const result = takeGrants(now, plugin, grants, project);
        ({ taken } = result);
        return taken.length === 0 ? now : result.left;
      });
      return taken;
    },
  };
}

/**
 * Appends a single new entry to the text, to keep a person's comments; else writes the file anew.
 */
function textOf(left: readonly GrantEntry[], now: readonly GrantEntry[], text: string): string {
  const [added, ...more] = left.slice(now.length);
  const isMore = more.length === 0 && now.every((entry, index) => entry === left[index]);
  const longer = added !== undefined && isMore ? appendGrant(text, added) : undefined;
  return longer ?? formatGrantsFile(left);
}
