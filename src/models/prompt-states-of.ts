import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../contracts/config.ts';
import type { Store } from '../contracts/store.ts';
import { llamaEngine } from '../lib/parts/llama-package.ts';
import type { PromptStates } from './llama/prompt-states.ts';

const keySetting = 'prompt-states-key';
const keyBytes = 32;

/**
 * The folder of prompt states for a model. Undefined when nothing is kept between questions, or
 * nothing can be written.
 */
export async function promptStatesOf(
  model: string,
  core: { config: Config; store(): Promise<Pick<Store, 'getSetting' | 'setSetting'>> },
): Promise<PromptStates | undefined> {
  if (!core.config.models.cache) return undefined;
  const key = keyOf(await core.store());
  if (key === undefined) return undefined;
  const { openPromptStates } = await import('./llama/prompt-states.ts');
  const root = promptStatesRoot(core.config);
  return openPromptStates({ root, key, model, engine: llamaEngine() });
}

function keyOf(settings: Pick<Store, 'getSetting' | 'setSetting'>): Buffer | undefined {
  const kept = settings.getSetting(keySetting)?.key;
  if (typeof kept === 'string') return Buffer.from(kept, 'base64');
  const made = randomBytes(keyBytes);
  try {
    settings.setSetting(keySetting, { key: made.toString('base64') });
    return made;
  } catch {
    // A home that cannot be written keeps nothing.
    return undefined;
  }
}

function promptStatesRoot({ home }: Pick<Config, 'home'>): string {
  return join(home, 'prompt-states');
}

/** Removes all prompt states, since they cannot be searched. */
export function endPromptStates(config: Pick<Config, 'home'>): void {
  rmSync(promptStatesRoot(config), { recursive: true, force: true });
}
