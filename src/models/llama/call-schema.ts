import { KernelError } from '../../contracts/error.ts';
import type { ModelTool } from '../../contracts/model.ts';
import { largest } from '../../lib/largest.ts';
import { type GrammarSchema, simplifySchema } from './simplify-schema.ts';

/** The choice that is not a tool: the model wants to answer in words. */
export const answerChoice = 'answer';

const maxListItems = 4;
/** A path or a pattern; more is rarely meant, and never well by a small model. */
const maxStringChars = 160;
/** Below this, optional properties are given up before strings get shorter. */
const usefulStringChars = 48;
const minStringChars = 8;

/** Sign, 16 digits, point, 16 digits, exponent with sign and 16 digits. */
const numberChars = 53;
/** The grammar ends with four line ends. */
const endChars = 4;

/** What the grammar allows between two tokens of JSON: a line end and four spaces a level. */
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

function callOf(tool: ModelTool, room: Room): GrammarSchema {
  const input = simplifySchema(tool.inputSchema, room);
  return { type: 'object', properties: { tool: { const: tool.name }, input } };
}

/** The roomiest form of a call that ends within the tokens; none when not even the tightest does. */
function fitCall(tool: ModelTool, maxTokens: number): GrammarSchema[] {
  for (const room of rooms()) {
    const full = callOf(tool, room);
    if (maxCallChars(full) + endChars > maxTokens) continue;
    // The short form stands first: with it, a call may stop after what is required.
    return room.keepOptional ? [callOf(tool, { ...room, keepOptional: false }), full] : [full];
  }
  return [];
}

/**
 * The schema of one tool call, `{"tool": NAME, "input": {…}}`, one alternative or two a tool.
 * Lengths are bounded so that the longest call has at most `maxOutputTokens` characters: a token
 * is at least one ASCII character, so a call ends before the tokens do (a string of other scripts
 * can take several tokens a character and be cut; then reading it fails).
 *
 * @param options.mayAnswer adds `{"tool": "answer"}`
 * @returns the schema and the tools in it: one whose tightest call does not fit is not offered
 * @throws {KernelError} `invalid-argument` when none fits
 */
export function callSchema(
  tools: readonly ModelTool[],
  options: { maxOutputTokens: number; mayAnswer: boolean },
): { schema: GrammarSchema; offered: readonly ModelTool[] } {
  const fitting = tools
    .map((tool) => ({ tool, calls: fitCall(tool, options.maxOutputTokens) }))
    .filter(({ calls }) => calls.length > 0);
  if (fitting.length === 0) {
    const names = tools.map((tool) => tool.name).join(', ');
    throw new KernelError(
      'invalid-argument',
      `no call of ${names} fits into ${options.maxOutputTokens} tokens (maxOutputTokens)`,
    );
  }
  const answer: GrammarSchema = { type: 'object', properties: { tool: { const: answerChoice } } };
  const calls = fitting.flatMap((one) => one.calls);
  return {
    schema: { oneOf: options.mayAnswer ? [...calls, answer] : calls },
    offered: fitting.map(({ tool }) => tool),
  };
}
