import type { Part } from './number-format.ts';

export type UnitDisplay = 'short' | 'long' | 'narrow';

/** Short name, and the narrow one where that is another; `_` is a space in it. */
const names = new Map(
  (
    'acre ac,bit bit,byte byte B,celsius °C,centimeter cm,day day d,degree deg °,' +
    'fahrenheit °F °,fluid-ounce fl_oz,foot ft ′,gallon gal,gigabit Gb,gigabyte GB,gram g,' +
    'hectare ha,hour hr h,inch in ″,kilobit kb,kilobyte kB,kilogram kg,kilometer km,liter L,' +
    'megabit Mb,megabyte MB,meter m,microsecond μs,mile mi,mile-scandinavian smi,milliliter mL,' +
    'millimeter mm,millisecond ms,minute min m,month mth m,nanosecond ns,ounce oz,percent %,' +
    'petabyte PB,pound lb #,second sec s,stone st,terabit Tb,terabyte TB,week wk w,yard yd,year yr y'
  )
    .split(',')
    .map((line): [string, { short: string; narrow: string }] => {
      const [unit = '', short = '', narrow = short] = line.split(' ');
      const [name, small] = [short, narrow].map((each) => each.replace('_', ' '));
      return [unit, { short: name ?? '', narrow: small ?? '' }];
    }),
);
/** In words, by one and by more; others end with `s`. */
const odd: Readonly<Record<string, readonly [one: string, more: string]>> = {
  celsius: ['degree Celsius', 'degrees Celsius'],
  fahrenheit: ['degree Fahrenheit', 'degrees Fahrenheit'],
  'fluid-ounce': ['fluid ounce', 'fluid ounces'],
  foot: ['foot', 'feet'],
  inch: ['inch', 'inches'],
  'mile-scandinavian': ['mile-scandinavian', 'miles-scandinavian'],
  percent: ['percent', 'percent'],
};
/** Short names that count. */
const counted = /^(?:day|week|month|year)$/;

/**
 * A unit behind a number, in American English.
 *
 * @param unit as `Intl` names it, such as `kilometer-per-hour`
 * @throws {RangeError} for another one
 */
export function unitParts(unit: string, display: UnitDisplay, isOne: boolean): Part[] {
  const [first = '', per] = unit.split('-per-');
  if (!names.has(first) || (per !== undefined && !names.has(per)))
    throw new RangeError(`Invalid unit argument for Intl.NumberFormat() '${unit}'`);
  const value =
    per === undefined ? nameOf(first, display, isOne) : perName(first, per, display, isOne);
  const isClose = display === 'narrow' || (display === 'short' && /^[°%]/.test(value));
  const gap: Part[] = isClose ? [] : [{ type: 'literal', value: ' ' }];
  return [...gap, { type: 'unit', value }];
}

function nameOf(unit: string, display: UnitDisplay, isOne: boolean): string {
  if (display === 'long') return odd[unit]?.[isOne ? 0 : 1] ?? (isOne ? unit : `${unit}s`);
  const name = names.get(unit)?.[display] ?? unit;
  return display === 'short' && !isOne && counted.test(unit) ? `${name}s` : name;
}

function perName(unit: string, per: string, display: UnitDisplay, isOne: boolean): string {
  if (display === 'long')
    return `${nameOf(unit, display, isOne)} per ${nameOf(per, display, true)}`;
  if (unit === 'mile' && per === 'hour') return 'mph';
  if (unit === 'mile' && per === 'gallon') return 'mpg';
  const isTime = /^(?:second|hour|day|week|month|year)$/.test(per);
  return `${nameOf(unit, display, isOne)}/${nameOf(per, isTime ? 'narrow' : 'short', true)}`;
}
