import type { ModelTool } from '../../contracts/model.ts';
import { largest } from '../../lib/numbers.ts';
import { type GrammarSchema, simplifySchema } from './simplify-schema.ts';

const maxListItems = 4;
/** A path or a pattern; more is rarely meant, and never well by a small model. */
const maxStringChars = 160;
/** Optional properties are dropped before strings get shorter than this. */
const usefulStringChars = 48;
const minStringChars = 8;

/** Sign, 16 digits, point, 16 digits, exponent with sign and 16 digits. */
const numberChars = 53;
/** The grammar ends with four line ends. */
const endChars = 4;

/**
 * White space that the grammar allows between two tokens of JSON: a line end and four spaces a
 * level.
 */
function spaceChars(level: number): number {
  return 1 + 4 * level;
}

/** The longest text that a schema allows, in characters, white space included. */
export function maxCallChars(schema: GrammarSchema, level = 0): number {
  if ('const' in schema) return JSON.stringify(schema.const).length;
  if ('enum' in schema) return largest(schema.enum.map((v) => JSON.stringify(v).length));
  if ('oneOf' in schema) return largest(schema.oneOf.map((one) => maxCallChars(one, level)));
  const brackets = 2 + spaceChars(level + 1) + spaceChars(level);
  const comma = 1 + spaceChars(level + 1);
  switch (schema.type) {
    case 'string':
      return 'maxLength' in schema ? schema.maxLength + 2 : 40;
    case 'array':
      return brackets + schema.maxItems * (comma + maxCallChars(schema.items, level + 1));
    case 'object':
      return Object.entries(schema.properties).reduce(
        (sum, [key, value]) =>
          sum + comma + JSON.stringify(key).length + 2 + maxCallChars(value, level + 1),
        brackets,
      );
    case 'boolean':
    case 'null':
      return 5;
    default:
      return numberChars;
  }
}

type Room = { maxStringChars: number; maxItems: number; keepOptional: boolean };

/** From roomy to tight: shorter strings, then only what is required, then shorter lists. */
function* rooms(): Generator<Room, void, undefined> {
  for (const [keepOptional, maxItems, least] of [
    [true, maxListItems, usefulStringChars],
    [false, maxListItems, usefulStringChars],
    [false, 1, minStringChars],
  ] as const) {
    for (let chars = maxStringChars; chars >= least; chars = Math.floor(chars * 0.8)) {
      yield { maxStringChars: chars, maxItems, keepOptional };
    }
  }
}

/** Values that a call may have beside any text. */
export type CallValues = {
  /** files and folders that there are; a path of something that exists is one of them */
  paths: readonly string[];
};

/** More alternatives make a grammar slow: ten thousand take two seconds a call. */
const maxAlternatives = 1_000;

/**
 * The schema of the input of a call, bounded so that the longest has at most `maxOutputTokens`
 * characters: a token is at least one ASCII character, so a call ends before the tokens do (a string
 * of other scripts can take several tokens a character and be cut; then reading it fails).
 *
 * @returns undefined where not even the tightest form fits
 */
export function callSchema(
  tool: ModelTool,
  { maxOutputTokens, values }: { maxOutputTokens: number; values?: CallValues | undefined },
): GrammarSchema | undefined {
  const paths = (values?.paths ?? []).slice(0, maxAlternatives);
  const known = { paths, onlyReads: tool.onlyReads === true };
  for (const room of rooms()) {
    const full = simplifySchema(tool.inputSchema, { ...room, ...known });
    if (maxCallChars(full) + endChars > maxOutputTokens) continue;
    if (!room.keepOptional) return full;
    // The short form stands first: with it, a call may stop after what is required.
    const short = simplifySchema(tool.inputSchema, { ...room, keepOptional: false, ...known });
    return { oneOf: [short, full] };
  }
  return undefined;
}

/** The required part of its input, for the model to read. */
export function shownParams(tool: ModelTool): GrammarSchema | undefined {
  const shown = simplifySchema(tool.inputSchema, {
    ...{ maxStringChars, maxItems: maxListItems, keepOptional: false },
  });
  if (!('type' in shown) || shown.type !== 'object') return undefined;
  return Object.keys(shown.properties).length === 0 ? undefined : shown;
}
