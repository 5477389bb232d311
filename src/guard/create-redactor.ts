import type { ModelRequest } from '../contracts/model.ts';
import { personalKinds } from '../contracts/personal-data.ts';
import type { EchoFinder } from './create-echo-finder.ts';
import type { Vault } from './create-vault.ts';
import { createResultTrail } from './result-trail.ts';
import {
  joinFindings,
  replaceFindings,
  type Secret,
  scan,
  secretKinds,
  secretsOf,
} from './scan-text.ts';
import { createTextCache } from './text-cache.ts';

/** Redacts what a remote model is sent; a local model sees everything. */
export type Redactor = {
  know(secrets: readonly Secret[]): void;
  redacted(text: string, source: string | undefined): string;
  /** as `redacted`, for an untrusted result; checked together with the results before it */
  result(text: string, source: string): string;
  request(request: ModelRequest): ModelRequest;
  /** a value without secrets, for a local model too: other models may see kept values later */
  kept<Value>(value: Value): Value;
};

const personal: ReadonlySet<string> = new Set(personalKinds);

type Notice = (
  of: { point: 'before-model'; check: 'secret' | 'personal-data'; action: 'redacted' },
  counts: Record<string, number>,
  source?: string,
) => void;

/**
 * @param options.onFresh called when a secret becomes known: texts that were checked before may
 *   hold it
 */
export function createRedactor(options: {
  remote: boolean;
  /** kinds of personal data that may leave */
  kept: ReadonlySet<string>;
  vault: Vault;
  echoes: EchoFinder;
  notice: Notice;
  onFresh(): void;
}): Redactor {
  const { remote, kept, vault, echoes, notice, onFresh } = options;
  const point = 'before-model';
  const action = 'redacted';
  /** kinds and values that were told of */
  const told = new Set<string>();
  const clean = createTextCache<string>();

  const know: Redactor['know'] = (secrets) => {
    const fresh = secrets.filter(({ kind, value }) => echoes.add(kind, value));
    if (fresh.length === 0 || !remote) return;
    for (const secret of fresh) trail.add(secret);
    clean.clear();
    onFresh();
  };
  const trail = createResultTrail(know);

  const redacted: Redactor['redacted'] = (text, source) => {
    const before = clean.get(text);
    if (before !== undefined) return before;
    know(secretsOf(text));
    if (!remote) return text;
    const found = joinFindings(echoes.find(text), scan(text, { keep: kept }));
    const secret: Record<string, number> = {};
    const personal: Record<string, number> = {};
    for (const { kind, start, end } of found) {
      const value = `${kind} ${text.slice(start, end)}`;
      if (told.has(value)) continue;
      told.add(value);
      const counts = secretKinds.has(kind) ? secret : personal;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    notice({ point, check: 'secret', action }, secret, source);
    notice({ point, check: 'personal-data', action }, personal, source);
    const result = replaceFindings(text, found, vault.standInOf);
    clean.set(text, result);
    clean.set(result, result);
    return result;
  };

  const withoutSecrets = (text: string): string =>
    replaceFindings(
      text,
      joinFindings(echoes.find(text), scan(text, { keep: personal })),
      vault.standInOf,
    );

  const sendable = (text: string): string => redacted(text, undefined);

  return {
    know,
    redacted,
    result: (text, source) => {
      const shown = redacted(text, source);
      const kind = remote ? trail.completes(shown) : undefined;
      if (kind === undefined) return shown;
      if (!told.has(text)) notice({ point, check: 'secret', action }, { [kind]: 1 }, source);
      told.add(text);
      return vault.standInOf(kind, text);
    },
    request: (asked) => {
      if (!remote) return asked;
      const messages = asked.messages.map((message) => {
        if (message.role !== 'assistant' || message.raw === undefined) return message;
        // A provider accepts its raw form only unchanged, so a redacted one is left out.
        const { raw, ...said } = message;
        return JSON.stringify(withTexts(raw, sendable)) === JSON.stringify(raw) ? message : said;
      });
      return withTexts({ ...asked, messages }, sendable);
    },
    kept: (value) => withTexts(value, withoutSecrets),
  };
}

/** A value with something else for each of its texts and names. Nobody reads the bytes of images. */
function withTexts<Value>(value: Value, of: (text: string) => string): Value {
  if (typeof value === 'string') return of(value) as Value;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, of)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    of(key),
    key === 'images' ? item : withTexts(item, of),
  ]);
  return Object.fromEntries(entries) as Value;
}
