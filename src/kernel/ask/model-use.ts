import { join } from 'node:path';
import type { Spender } from '../../ask/budget.ts';
import type { Say } from '../../contracts/agent.ts';
import type { Config, PrivacySettings } from '../../contracts/config.ts';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import type { ChatModel } from '../../contracts/model.ts';
import type { Store } from '../../contracts/store.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { type FoundRole, roleOf } from '../../models/model-scores.ts';

export type ModelUsePorts = {
  config: Config;
  /** as it was named */
  modelName: string;
  clock: Clock;
  say: Say;
  store: Store & { readonly unwritable?: KernelError | undefined };
};

/** What a model does in this run; passages answer alone where it failed its test. */
export async function chooseRole(
  model: ChatModel,
  ports: ModelUsePorts,
): Promise<Pick<FoundRole, 'role' | 'hasPassed'>> {
  const { modelName, config, store, say } = ports;
  const { role, tested, hasPassed } = await roleOf(model, modelName, config.modelRole, store);
  if (model.remote) noticeRemote(model, ports);
  if (role === 'none') {
    say.warnOnce(
      `${model.name} did worse than the passages alone in its test, so they are shown alone (change that with --model-role word)`,
    );
  } else if (model.reach.mustCall && tested !== 'yes' && config.modelRole === 'auto') {
    const why = tested === 'changed' ? 'changed after its test' : 'was never tested';
    say.warnOnce(
      `${model.name} ${why}, so it is given little and words answers only; test it with: cuervo model test ${shellWord(modelName)}`,
    );
  }
  return { role, hasPassed };
}

/**
 * Facts about the model that spends the budget.
 *
 * @throws {KernelError} `invalid-argument` for a cost limit with an unknown price
 */
export function spenderOf(model: ChatModel | undefined, ports: ModelUsePorts): Spender | undefined {
  if (model === undefined) return undefined;
  const { config, store, clock, say } = ports;
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
      say.warn(
        `the price of ${model.name} is unknown: tokens and time limit it, and no cost is counted; say it in models.toml (docs/models.md). This note appears once.`,
      );
      store.setSetting(key, { shownMs: clock.nowMs() });
    }
  }
  const day = dayOf(clock.nowMs());
  return {
    price: model.price,
    keepsPrompts: !model.remote,
    spentTodayUsd: store.spentOn(day),
    uncounted: config.budget.dayUsd === undefined ? undefined : whyUncounted(store, day),
  };
}

/** Counts what requests cost for the day; a store that cannot be written is a warning. */
export function countSpending({
  store,
  clock,
  say,
}: Pick<ModelUsePorts, 'clock' | 'say'> & { store: Pick<Store, 'addSpending'> }): (
  usd: number,
) => void {
  return (usd) => {
    try {
      if (usd > 0) store.addSpending(dayOf(clock.nowMs()), usd);
    } catch (thrown) {
      say.warn(`what this cost is not counted for the day: ${reasonOf(thrown)}`);
    }
  };
}

/** As the store counts spending by, e.g. `2026-11-26`. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Why spending cannot be counted: an unwritable store keeps rows only in a copy for this run. */
function whyUncounted(store: ModelUsePorts['store'], day: string): KernelError | undefined {
  if (store.unwritable !== undefined) return store.unwritable;
  try {
    store.addSpending(day, 0);
    return undefined;
  } catch (thrown) {
    return KernelError.from(thrown, 'unavailable');
  }
}

/** The first use of a provider, and the first with other privacy settings, says what leaves. */
function noticeRemote(model: ChatModel, ports: ModelUsePorts): void {
  const { privacy, workspace } = ports.config;
  const how = privacy.personalData === 'send' ? ['all'] : privacy.send.toSorted();
  const suffix = how.length === 0 ? '' : `:${how.join(',')}`;
  const key = `remote-notice:${model.origin ?? 'default'}${suffix}`;
  if (ports.store.getSetting(key) !== undefined) return;
  ports.say.warn(
    `${model.name} is remote: your question, results of tools (lines of files in ${workspace}) and recalled turns are sent to its provider; protected files are left out, keys of known formats are redacted, and ${personalText(privacy)}. This note appears once.`,
  );
  ports.store.setSetting(key, { shownMs: ports.clock.nowMs() });
}

function personalText({ personalData, send }: PrivacySettings): string {
  if (personalData === 'send') return 'personal data is sent unchanged (privacy.personal-data)';
  const but = send.length === 0 ? '' : ` but ${send.join(', ')}`;
  return `personal data with a form (mail and IP addresses, phone, card, account and identity numbers)${but} is replaced by words like [EMAIL_1]`;
}
