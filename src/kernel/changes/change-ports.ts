import type { Config } from '../../contracts/config.ts';
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
