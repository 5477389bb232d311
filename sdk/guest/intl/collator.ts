export type CollatorOptions = {
  numeric?: boolean;
  sensitivity?: 'base' | 'accent' | 'case' | 'variant';
};

/** Letters before their accents, and those before upper case. */
export class Collator {
  readonly #options: CollatorOptions;
  readonly compare: (one: string, other: string) => number;

  constructor(_locale?: unknown, options: CollatorOptions = {}) {
    this.#options = options;
    this.compare = (one, other) => this.#compare(String(one), String(other));
  }

  resolvedOptions(): object {
    return { locale: 'en-US', usage: 'sort', sensitivity: 'variant', ...this.#options };
  }

  static supportedLocalesOf(): string[] {
    return ['en-US'];
  }

  #compare(one: string, other: string): number {
    const { sensitivity = 'variant', numeric = false } = this.#options;
    const byLetters = order(base(one), base(other), numeric);
    if (byLetters !== 0 || sensitivity === 'base') return byLetters;
    const accents = sensitivity === 'case' ? 0 : order(lower(one), lower(other), false);
    if (accents !== 0 || sensitivity === 'accent') return accents;
    // The lower case of the same letter stands first.
    return -order(one.normalize('NFD'), other.normalize('NFD'), false);
  }
}

const lower = (text: string): string => text.normalize('NFD').toLowerCase();
const base = (text: string): string => lower(text).replace(/\p{M}/gu, '');

function order(one: string, other: string, numeric: boolean): number {
  if (!numeric) return one < other ? -1 : one > other ? 1 : 0;
  const [left, right] = [one, other].map((text) => text.match(/\d+|\D+/g) ?? []);
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at += 1) {
    const [a = '', b = ''] = [left?.[at], right?.[at]];
    const areNumbers = /^\d/.test(a) && /^\d/.test(b);
    const difference = areNumbers ? Number(a) - Number(b) : order(a, b, false);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}
