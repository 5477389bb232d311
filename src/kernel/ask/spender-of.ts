import { join } from 'node:path';
import type { Spender } from '../../ask/budget.ts';
import { KernelError } from '../../contracts/error.ts';
import type { ChatModel } from '../../contracts/model.ts';
import type { AskPorts } from './ask-ports.ts';

/**
 * Facts about the spender of the budget.
 *
 * @throws {KernelError} `invalid-argument` for a cost limit with an unknown price
 */
export function spenderOf(model: ChatModel | undefined, ports: AskPorts): Spender | undefined {
  if (model === undefined) return undefined;
  const { config, store, clock } = ports;
  if (model.price === undefined) {
    if (config.isCostTyped) {
      throw new KernelError(
        'invalid-argument',
        `the price of ${model.name} is unknown, so --max-cost could not hold`,
        {
          hint: `Say it in ${join(config.home, 'models.toml')} (docs/models.md), or limit --max-tokens.`,
        },
      );
    }
    const key = `price-unknown:${model.origin ?? ''}:${model.name}`;
    if (store.getSetting(key) === undefined) {
      ports.warn(
        `the price of ${model.name} is unknown: tokens and time limit it, and no cost is counted; say it in models.toml (docs/models.md). This note appears once.`,
      );
      store.setSetting(key, { shownMs: clock.nowMs() });
    }
  }
  const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
  return {
    price: model.price,
    keepsPrompts: !model.remote,
    spentTodayUsd: store.spentOn(day),
    uncounted: config.budget.dayUsd === undefined ? undefined : whyUncounted(store, day),
  };
}

/** A store that cannot be written takes rows into a copy, which is gone with the run. */
function whyUncounted(store: AskPorts['store'], day: string): KernelError | undefined {
  if (store.unwritable !== undefined) return store.unwritable;
  try {
    store.addSpending(day, 0);
    return undefined;
  } catch (thrown) {
    return KernelError.from(thrown, 'unavailable');
  }
}
