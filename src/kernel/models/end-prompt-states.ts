import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/load-config.ts';

/** Where the beginnings of prompts are kept as models have read them, of all models. */
export function promptStatesRoot({ home }: Pick<Config, 'home'>): string {
  return join(home, 'prompt-states');
}

/** Removes all of them: nobody looks into what a model made of words. */
export function endPromptStates(config: Pick<Config, 'home'>): void {
  rmSync(promptStatesRoot(config), { recursive: true, force: true });
}
