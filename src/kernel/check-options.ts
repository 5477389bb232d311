import { KernelError } from '../contracts/error.ts';
import { isObject } from '../contracts/tool.ts';
import { quoteText } from '../lib/text/escape.ts';
import type { KernelOptions } from './kernel-options.ts';

type Kind = { what: string; fits(value: unknown): boolean };

const text: Kind = { what: 'a string', fits: (value) => typeof value === 'string' };
const flag: Kind = { what: 'true or false', fits: (value) => typeof value === 'boolean' };
const port: Kind = { what: 'a function', fits: (value) => typeof value === 'function' };
const amount: Kind = {
  what: 'a number of at least 0',
  fits: (value) => typeof value === 'number' && value >= 0,
};
const roles: readonly unknown[] = ['auto', 'choose', 'word'];

const kinds: Readonly<Record<keyof KernelOptions, Kind>> = {
  workspace: text,
  home: text,
  model: text,
  modelRole: { what: '"auto", "choose" or "word"', fits: (value) => roles.includes(value) },
  callTimeoutMs: {
    what: 'a number of milliseconds above 0',
    fits: (value) => typeof value === 'number' && value > 0,
  },
  maxUsd: amount,
  maxDurationMs: amount,
  maxTokens: amount,
  dryRun: flag,
  record: flag,
  allow: {
    what: 'a list of strings',
    fits: (value) => Array.isArray(value) && value.every(text.fits),
  },
  plugins: {
    what: 'a list of strings',
    fits: (value) => Array.isArray(value) && value.every(text.fits),
  },
  yes: text,
  askConsent: port,
  askPassphrase: port,
  askYesNo: port,
  onToolEvent: port,
  onWarning: port,
  clock: {
    what: 'an object with nowMs()',
    fits: (value) => isObject(value) && typeof value.nowMs === 'function',
  },
  resolveHost: port,
  standIn: port,
};

/**
 * A program that is not checked against our types may misspell an option, and would be answered
 * about another folder than it meant.
 *
 * @throws {KernelError} `invalid-argument` that names the option
 */
export function checkOptions(options: unknown): asserts options is KernelOptions {
  if (!isObject(options)) throw invalid('openKernel() takes an object of options');
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(kinds, name)) {
      throw invalid(`openKernel() has no option ${quoteText(name)}`);
    }
    const { what, fits } = kinds[name as keyof KernelOptions];
    if (value === undefined || fits(value)) continue;
    throw invalid(`the option ${name} of openKernel() is ${shown(value)}, and takes ${what}`);
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  if (Array.isArray(value)) return 'another list';
  return typeof value === 'function' ? 'a function' : isObject(value) ? 'an object' : String(value);
}

function invalid(message: string): KernelError {
  const hint = `Its options are ${Object.keys(kinds).join(', ')}.`;
  return new KernelError('invalid-argument', message, { hint });
}
