import type { Json, JsonObject } from '../contracts/tool.ts';
import { mapStandIns, secretKinds, standInsOf } from './scan-text.ts';

/** The pairs of values and stand-ins of one run. */
export type Vault = {
  /** the stand-in of a value, always the same: `[EMAIL_1]`, or `[redacted: KIND]` for a secret */
  standInOf(kind: string, value: string): string;
  /** notes that a text shows `as` in the place of `of` */
  showAs(as: string, of: string): void;
  /** notes words of an untrusted text that could be taken for stand-ins */
  noteLookAlikes(text: string): void;
  /** personal data by its stand-in */
  readonly personal: ReadonlyMap<string, { kind: string; value: string }>;
  /** a text with the values of its unambiguous stand-ins */
  restoreText(text: string): string;
  /** @throws {StandInError} where a stand-in cannot be put back, or must not */
  restoreInput(
    input: JsonObject,
    options: { leavesMachine: boolean },
  ): { input: JsonObject; counts: Record<string, number> };
};

/** Why a call is not made, in one sentence for the model. */
export class StandInError extends Error {
  override readonly name = 'StandInError';
}

/** `[EMAIL_1]`, and the ways in which models write it. */
const bareName =
  /(?<![A-Za-z0-9_])([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*_\d{1,9})(?![A-Za-z0-9_])/g;

export function createVault(): Vault {
  const personal = new Map<string, { kind: string; value: string }>();
  const given = new Map<string, string>();
  const counts = new Map<string, number>();
  const secretWords = new Set<string>();
  const shown = new Map<string, string>();
  /** in texts of others, as they are */
  const lookAlikes = new Set<string>();
  const bareLookAlikes = new Set<string>();
  /** texts of others in which something stands as we would show another */
  const withShown: string[] = [];

  const mustBeClear = (word: string): void => {
    if (!lookAlikes.has(word) && !withShown.some((text) => text.includes(word))) return;
    throw new StandInError(
      `${word} is ambiguous: it is a stand-in for something kept here, and a text of this run holds the same word`,
    );
  };

  /** A string of an input with its values put back. */
  const restored = (text: string, leavesMachine: boolean, used: Map<string, string>): string => {
    let result = text;
    for (const [as, of] of shown) {
      if (!result.includes(as)) continue;
      mustBeClear(as);
      result = result.replaceAll(as, () => of);
    }
    result = mapStandIns(result, (word) => {
      const held = personal.get(word);
      if (held === undefined && !secretWords.has(word)) {
        if (lookAlikes.has(word) || !isName(word)) return word;
        throw new StandInError(`${word} stands for nothing: this run gave out no such stand-in`);
      }
      mustBeClear(word);
      if (held === undefined) {
        throw new StandInError(
          `${word} stands for a secret that stays on this machine; no tool call gets it`,
        );
      }
      if (leavesMachine) {
        throw new StandInError(
          `${word} stands for personal data (${held.kind}) that stays on this machine; tools that run programs or use a network do not get it`,
        );
      }
      used.set(word, held.kind);
      return held.value;
    });
    for (const { index, 1: name = '' } of text.matchAll(bareName)) {
      const word = `[${name.toUpperCase()}]`;
      const isWhole = text.startsWith(word, index - 1);
      if (!personal.has(word) || bareLookAlikes.has(name) || isWhole) continue;
      throw new StandInError(`"${name}" is not the name of a stand-in; write it as ${word}`);
    }
    return result;
  };

  /** Whether a word is one of the kinds that have stand-ins. */
  const isName = (word: string): boolean =>
    counts.has(word.slice(1, word.lastIndexOf('_')).toLowerCase().replaceAll('_', '-'));

  const walk = (value: Json, leaves: boolean, used: Map<string, string>): Json => {
    if (typeof value === 'string') return restored(value, leaves, used);
    if (Array.isArray(value)) return value.map((item) => walk(item, leaves, used));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        restored(key, leaves, used),
        walk(item, leaves, used),
      ]),
    );
  };

  return {
    personal,
    standInOf: (kind, value) => {
      if (secretKinds.has(kind)) {
        secretWords.add(`[redacted: ${kind}]`);
        return `[redacted: ${kind}]`;
      }
      const key = `${kind} ${value}`;
      const known = given.get(key);
      if (known !== undefined) return known;
      const name = kind.toUpperCase().replaceAll('-', '_');
      let count = counts.get(kind) ?? 0;
      let word: string;
      do {
        count += 1;
        word = `[${name}_${count}]`;
      } while (lookAlikes.has(word));
      counts.set(kind, count);
      given.set(key, word);
      personal.set(word, { kind, value });
      return word;
    },
    showAs: (as, of) => {
      shown.set(as, of);
    },
    noteLookAlikes: (text) => {
      for (const word of standInsOf(text)) lookAlikes.add(word);
      if (/\[(?:U\+|[<[:]\])/.test(text)) withShown.push(text);
      for (const [, name = ''] of text.matchAll(bareName)) bareLookAlikes.add(name);
    },
    restoreText: (text) => {
      let result = mapStandIns(text, (word) => {
        const held = personal.get(word);
        return held === undefined || lookAlikes.has(word) ? word : held.value;
      });
      for (const [as, of] of shown) {
        // Hidden characters stay written out for the person, too.
        if (!as.startsWith('[U+') && result.includes(as)) result = result.replaceAll(as, () => of);
      }
      return result;
    },
    restoreInput: (input, { leavesMachine }) => {
      const used = new Map<string, string>();
      const whole = walk(input, leavesMachine, used) as JsonObject;
      const byKind: Record<string, number> = {};
      for (const kind of used.values()) byKind[kind] = (byKind[kind] ?? 0) + 1;
      return { input: whole, counts: byKind };
    },
  };
}
