import { KernelError } from '../../contracts/error.ts';
import type { HostCaller } from '../../contracts/host-service.ts';
import type { AddedServer } from '../../contracts/servers.ts';
import { type CrashBackoff, createCrashBackoff } from '../../host/run/process-pool.ts';
import { memoize } from '../../lib/memo.ts';
import {
  openSession,
  type ServerReach,
  type ServerSession,
  type SessionPorts,
} from './open-session.ts';

/** A server that nobody calls for so long is ended. */
const idleMs = 5 * 60_000;

type Wanted = Pick<AddedServer, 'name' | 'definition' | 'isOld'> & {
  reach: ServerReach;
  caller: HostCaller;
};

/** A session while a call uses it; disposing gives it back. */
export type SessionUse = AsyncDisposable & {
  session: ServerSession;
  /** No later call gets it. */
  drop(): void;
};

/**
 * The servers that run. One that only reads is kept warm, and shared by all runs. One that may write is
 * of a single run, and ended with it, so that what it changed belongs to that run alone.
 */
export type LiveSessions = AsyncDisposable & {
  use(wanted: Wanted): Promise<SessionUse>;
  settle(run: string): Promise<void>;
  isOpenFor(run: string | undefined): boolean;
};

type Entry = {
  opened: Promise<ServerSession>;
  run: string | undefined;
  uses: number;
  isDropped: boolean;
  idle?: NodeJS.Timeout;
};

/** Counted before anybody else is let at it, so that it is not ended as idle. */
function used(entry: Entry): Entry {
  clearTimeout(entry.idle);
  entry.uses += 1;
  return entry;
}

/** One that only reads outlasts many calls, and its masks are those of its start. */
async function isUsable(entry: Entry, { reach, caller }: Wanted): Promise<boolean> {
  clearTimeout(entry.idle);
  const session = await entry.opened;
  if (session.over() !== undefined) return false;
  // What cannot be looked through is told by the next start.
  return reach.isWritable || !(await session.seesTooMuch(caller.signal).catch(() => true));
}

export function createLiveSessions(ports: SessionPorts): LiveSessions {
  const entries = new Map<string, Entry>();
  const backoffOf = memoize(
    (name: string): CrashBackoff => createCrashBackoff(`MCP server ${name}`),
  );

  const end = async (key: string, entry: Entry): Promise<void> => {
    clearTimeout(entry.idle);
    if (entries.get(key) === entry) entries.delete(key);
    const session = await entry.opened.catch(() => undefined);
    await session?.[Symbol.asyncDispose]();
  };

  /** It goes with its last use. */
  const drop = (key: string, entry: Entry): void => {
    entry.isDropped = true;
    if (entries.get(key) === entry) entries.delete(key);
  };

  const openEntry = async (key: string, wanted: Wanted, run: string | undefined) => {
    const known = entries.get(key);
    if (known !== undefined && (await isUsable(known, wanted))) return used(known);
    if (known !== undefined && known.uses > 0) drop(key, known);
    else if (known !== undefined) await end(key, known);
    const backoff = backoffOf(wanted.name);
    await backoff.admit(wanted.caller.signal);
    const opened = openSession(wanted, ports);
    const entry: Entry = { opened, run, uses: 0, isDropped: false };
    entries.set(key, entry);
    try {
      await opened;
      backoff.note(undefined);
    } catch (thrown) {
      if (entries.get(key) === entry) entries.delete(key);
      const error = KernelError.from(thrown, 'internal');
      if (['unavailable', 'deadline-exceeded'].includes(error.code)) backoff.note(error.message);
      throw thrown;
    }
    return used(entry);
  };
  const turns = new Map<string, Promise<Entry>>();
  /** One after the other: of two that are started at once, one would belong to nobody. */
  const entryFor = (key: string, wanted: Wanted, run: string | undefined): Promise<Entry> => {
    const before = turns.get(key)?.catch(() => {}) ?? Promise.resolve();
    const mine = before.then(() => openEntry(key, wanted, run));
    const settled = mine
      .catch(() => {})
      .then(() => {
        if (turns.get(key) === mine) turns.delete(key);
      });
    turns.set(key, mine);
    void settled;
    return mine;
  };

  const live: LiveSessions = {
    use: async (wanted) => {
      const { name, definition, reach, caller } = wanted;
      const run = reach.isWritable ? caller.run : undefined;
      const key = JSON.stringify([name, definition, reach, run]);
      const entry = await entryFor(key, wanted, run);
      const session = await entry.opened;
      session.noteTo(caller.note);
      return {
        session,
        drop: () => drop(key, entry),
        [Symbol.asyncDispose]: async () => {
          entry.uses -= 1;
          if (entry.uses > 0) return;
          session.noteTo(undefined);
          const isAlone = reach.isWritable && run === undefined;
          if (entry.isDropped || isAlone) await end(key, entry);
          else if (run === undefined)
            entry.idle = setTimeout(() => void end(key, entry), idleMs).unref();
        },
      };
    },
    settle: async (run) => {
      for (const [key, entry] of [...entries]) if (entry.run === run) await end(key, entry);
    },
    isOpenFor: (run) =>
      run !== undefined && [...entries.values()].some((entry) => entry.run === run),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...entries].map(([key, entry]) => end(key, entry)));
    },
  };
  return live;
}
