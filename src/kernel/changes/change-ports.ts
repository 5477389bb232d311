import type { Config } from '../../contracts/config.ts';
import type { PathState } from '../../contracts/file-changes.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';

/** Needs of commands that change the workspace; each change is a run of its own. */
export type ChangePorts = {
  config: Config;
  clock: Clock;
  store(): Promise<StoreWithJournal>;
  journaled<Value>(
    command: string,
    what: string,
    change: (run: string) => Promise<Value>,
  ): Promise<Value>;
};

/** Modes as git writes them, where both are known and differ: a file's, or 120000 for a link. */
export function diffModes(before: PathState, after: PathState): { modes?: [string, string] } {
  const [from, to] = [modeText(before), modeText(after)];
  return from === to || from === '' || to === '' ? {} : { modes: [from, to] };
}

function modeText(state: PathState): string {
  if (state.kind === 'link') return '120000';
  if (state.kind !== 'file' || state.mode === undefined) return '';
  return `100${state.mode.toString(8).padStart(3, '0')}`;
}
