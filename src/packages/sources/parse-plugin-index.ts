import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { quoteText } from '../../lib/text/escape.ts';
import { parseAnswer } from './parse-npm.ts';

const text = (max: number) => v.pipe(v.string(), v.maxLength(max));

const index = v.object({
  cuervoIndex: v.literal(1),
  plugins: v.optional(
    v.pipe(
      v.array(
        v.object({
          name: text(64),
          source: text(500),
          version: v.exactOptional(text(64)),
          description: v.optional(text(500), ''),
          licence: v.exactOptional(text(100)),
          homepage: v.exactOptional(text(500)),
        }),
      ),
      v.maxLength(100_000),
    ),
    [],
  ),
  bad: v.optional(
    v.pipe(
      v.array(v.object({ sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)), why: text(500) })),
      v.maxLength(100_000),
    ),
    [],
  ),
});

/** A list of plugins that anybody can put on a server: what there is, and which binaries are bad. */
export type PluginIndex = v.InferOutput<typeof index>;

/** @throws {KernelError} `plugin-fault` naming the field */
export function parsePluginIndex(bytes: Uint8Array, from: string): PluginIndex {
  const answer = parseAnswer(bytes, {
    ...{ from, of: ['cuervoIndex'], kind: 'index' },
    refuse: wrong,
  });
  const parsed = v.safeParse(index, answer, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw wrong(`${from} has a wrong ${quoteText(v.getDotPath(parsed.issues[0]) ?? '', 80)}`);
}

function wrong(why: string): KernelError {
  return new KernelError('plugin-fault', `the index ${why}`, {
    hint: 'Tell the person who hosts it, or take it out of plugins.indexes in config.toml.',
  });
}
