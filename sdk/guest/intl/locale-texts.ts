import { Collator, type CollatorOptions } from './collator.ts';
import { type DateOptions, DateTimeFormat } from './date-time-format.ts';
import { NumberFormat, type NumberOptions } from './number-format.ts';

export function numberText(this: unknown, locale?: unknown, options?: NumberOptions): string {
  return new NumberFormat(locale, options).format(this as number);
}

/** @param otherwise what is shown where the options name no part of a date or time */
export function dateText(otherwise: DateOptions) {
  return function (this: Date, locale?: unknown, options: DateOptions = {}): string {
    return new DateTimeFormat(locale, options, otherwise).format(this);
  };
}

const plain = new Collator();

export function localeCompare(
  this: string,
  other: string,
  _locale?: unknown,
  options?: CollatorOptions,
): number {
  const collator = options === undefined ? plain : new Collator(undefined, options);
  return collator.compare(String(this), other);
}
