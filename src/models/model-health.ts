import type { Config } from '../contracts/config.ts';
import { KernelError } from '../contracts/error.ts';
import type { ChatModel } from '../contracts/model.ts';
import type { Finding } from '../contracts/output/parse-setup.ts';
import type { Store } from '../contracts/store.ts';
import type { ModelBook } from './model-book.ts';
import { type BreakerState, breakerKey, failuresToBreak, leftAloneMs } from './with-resilience.ts';

/** Time for the first token of a model that is tried. */
const tryMs = 60_000;

/** The health of the models that a question may use. */
export type ModelHealth = {
  /** whether each model is asked now or paused; sends no request */
  status(): Promise<Finding[]>;
  /** Ends the pause of a model. @throws {KernelError} `not-found` for any other name */
  reset(model: string): Promise<void>;
  /** names of those that `try` can ask */
  names(): Promise<string[]>;
  /** Asks a model for one token, which may cost money. */
  try(model: string, options: { signal: AbortSignal }): Promise<Finding>;
};

export function createModelHealth(ports: {
  config: Pick<Config, 'models'>;
  /** the one that is in use, or `none` */
  name(): Promise<string>;
  book(): Promise<ModelBook>;
  /** undefined where nothing was kept yet */
  store(): Promise<Store | undefined>;
  open(name: string): Promise<ChatModel | undefined>;
}): ModelHealth {
  /** The used model and its replacements, and one model of each added server. */
  const names = async (): Promise<string[]> => {
    const { servers } = await ports.book();
    const used = [await ports.name(), ...ports.config.models.fallback];
    const others = Object.entries(servers).flatMap(([server, { models }]) => {
      const [first] = Object.keys(models);
      const isUsed = used.some((name) => name.startsWith(`${server}/`));
      return isUsed || first === undefined ? [] : [`${server}/${first}`];
    });
    return [...new Set([...used, ...others])].filter((name) => name !== 'none');
  };
  return {
    status: async () => {
      const store = await ports.store();
      return (await names()).map((name) =>
        findingOf(name, store?.getSetting(breakerKey(name)) as BreakerState | undefined),
      );
    },
    reset: async (model) => {
      const known = await names();
      if (!known.includes(model)) {
        throw KernelError.unknownName(`no question comes to a model "${model}"`, {
          ...{ name: model, names: known, hint: 'See them with: cuervo model status' },
        });
      }
      (await ports.store())?.setSetting(breakerKey(model), {});
    },
    names,
    try: async (model, { signal }) => {
      const late = AbortSignal.timeout(tryMs);
      const found = await tryOne(model, ports.open, AbortSignal.any([signal, late]));
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      return found;
    },
  };
}

function findingOf(model: string, kept: BreakerState | undefined): Finding {
  const name = `model ${model}`;
  const leftMs = leftAloneMs(kept, Date.now());
  if (leftMs > 0) {
    const seconds = Math.ceil(leftMs / 1000);
    return {
      ...{ name, status: 'warn', fix: `cuervo model reset ${model}` },
      finding: `it is left alone for ${seconds} s more, after ${failuresToBreak} failures in a row`,
    };
  }
  const failures = Number(kept?.breakerState ?? 0);
  if (failures > 0)
    return { name, status: 'ok', finding: `it is asked; failures in a row: ${failures}` };
  return { name, status: 'ok', finding: 'it is asked' };
}

async function tryOne(
  named: string,
  open: (name: string) => Promise<ChatModel | undefined>,
  signal: AbortSignal,
): Promise<Finding> {
  const name = `model ${named}`;
  const startedMs = performance.now();
  try {
    await using model = await open(named);
    if (model === undefined) throw new KernelError('not-found', `there is no model ${named}`);
    const openMs = performance.now() - startedMs;
    const request = {
      ...{ question: 'Say: yes', system: '', tools: [], toolChoice: 'none' as const },
      messages: [{ role: 'user' as const, text: 'Say: yes' }],
      maxOutputTokens: 1,
    };
    for await (const { type } of model.stream(request, { signal })) if (type === 'text') break;
    const ms = Math.round(performance.now() - startedMs - openMs);
    const where = model.remote ? 'remote' : 'on this machine';
    return { name, status: 'ok', finding: `${model.name} answered after ${ms} ms, ${where}` };
  } catch (thrown) {
    const { message, hint } = KernelError.from(thrown, 'unavailable');
    return { name, status: 'fail', finding: message, ...(hint === undefined ? {} : { fix: hint }) };
  }
}
