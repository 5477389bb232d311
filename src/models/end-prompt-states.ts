import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../contracts/config.ts';

export function promptStatesRoot({ home }: Pick<Config, 'home'>): string {
  return join(home, 'prompt-states');
}

/** Removes all prompt states, since they cannot be searched. */
export function endPromptStates(config: Pick<Config, 'home'>): void {
  rmSync(promptStatesRoot(config), { recursive: true, force: true });
}
