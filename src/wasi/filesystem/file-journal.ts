import type { HostCall } from '../../contracts/tool.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import { type GatedPorts, wasiLimits } from '../gate-ports.ts';
import { LimitReached } from './error-code.ts';
import { type Place, pathOf } from './reach-place.ts';

/** Characters of a path that the journal keeps. */
const maxTargetCharacters = 512;

/**
 * What WASI programs read, as the journal has it: an entry for each file that is opened, whose
 * bytes grow with the reads, one for each listing, and one for all lookups of names in one
 * directory. Programs look at the same names again and again.
 */
export type FileJournal = {
  /** Passes the gate and notes it; the entry may be changed until the call ends. */
  note(call: 'fs.read-bytes' | 'fs.list-dir', place: Place): HostCall;
  /** Passes the gate; noted once for each directory. */
  noteLookup(place: Place): void;
  /** A path that was refused for what it is or where it leads; the gate notes its own denials. */
  noteDenied(failure: HostFailure): void;
  reset(): void;
};

export function createFileJournal(ports: GatedPorts): FileJournal {
  let lookedIn = new Set<string>();
  let lookups = 0;

  function note(call: string, target: string): HostCall {
    const entry: HostCall = {
      call,
      target: target.toWellFormed().slice(0, maxTargetCharacters).toWellFormed(),
      outcome: 'ok',
      durationMs: 0,
    };
    ports.report(entry);
    return entry;
  }

  return {
    note: (call, place) => {
      ports.admit('fs', call);
      return note(call, pathOf(place));
    },
    noteLookup: ({ root, segments }) => {
      lookups += 1;
      if (lookups > wasiLimits.lookups) {
        throw new LimitReached(
          'quota',
          `more than ${wasiLimits.lookups} lookups of names in one call`,
        );
      }
      const directory = pathOf({ root, segments: segments.slice(0, -1) });
      if (lookedIn.has(directory) && ports.allows('fs', 'fs.stat')) return;
      ports.admit('fs', 'fs.stat');
      lookedIn.add(directory);
      note('fs.stat', directory);
    },
    noteDenied: (failure) => {
      if (ports.isNoted(failure)) return;
      ports.remember(failure);
      try {
        ports.admit('fs', 'fs.stat');
      } catch (thrown) {
        // Told in the journal by the gate; the guest hears what is wrong with its path.
        if (thrown instanceof HostFailure) return;
        throw thrown;
      }
      const target = /^path ("(?:[^"\\]|\\.)*")/.exec(failure.message)?.[1] ?? '';
      ports.report({ call: 'fs.stat', target, outcome: 'denied', durationMs: 0 });
    },
    reset: () => {
      lookedIn = new Set();
      lookups = 0;
    },
  };
}
