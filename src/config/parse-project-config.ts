import { parse, TomlError } from 'smol-toml';
import * as v from 'valibot';
import { KernelError } from '../contracts/error.ts';
import { escapeTerminal } from '../lib/text/escape.ts';
import {
  budgetSchema,
  denySchema,
  limitsSchema,
  patternsSchema,
  privacySchema,
  requireSchema,
} from './parse-config.ts';

/** Every key of it takes something away. */
const fileSchema = v.strictObject({
  capabilities: v.optional(v.strictObject({ deny: v.optional(denySchema) })),
  protected: v.optional(patternsSchema),
  limits: v.optional(limitsSchema),
  budget: v.optional(budgetSchema),
  privacy: v.optional(privacySchema),
  plugins: v.optional(v.strictObject({ require: v.optional(requireSchema) })),
});

export type ProjectFile = v.InferOutput<typeof fileSchema>;

/**
 * Parses `cuervo.toml`, which comes with the folder that is worked on. Its author may grant
 * nothing, so it has only keys that narrow, and any other key is an error.
 *
 * @param path for messages
 * @throws {KernelError} `invalid-argument` with the line or the key
 */
export function parseProjectConfig(text: string, path: string): ProjectFile {
  let value: unknown;
  try {
    value = parse(text);
  } catch (thrown) {
    const line = thrown instanceof TomlError ? ` line ${thrown.line}` : '';
    throw invalid(
      `${path}:${line} is not TOML`,
      `Correct${line || ' the text'} of ${path}, or${elsewhere}`,
    );
  }
  const parsed = v.safeParse(fileSchema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const key = escapeTerminal((v.getDotPath(issue) ?? '(all)').slice(0, 100)).replace(/\s/g, ' ');
  if (issue.type !== 'strict_object') {
    throw invalid(`${path}: "${key}" ${issue.message}`, `Correct it in ${path}, or${elsewhere}`);
  }
  throw invalid(
    `${path}: "${key}" cannot be set by a project, which can only narrow: capabilities.deny, protected, limits, budget, privacy`,
    `Remove it from ${path}; a setting that widens belongs in your own config.toml.`,
  );
}

/** For a person who did not write this file. */
const elsewhere = ' work on another folder with --workspace DIR.';

function invalid(message: string, hint: string): KernelError {
  return new KernelError('invalid-argument', message, { hint });
}
