import * as v from 'valibot';
import { capabilityNames } from '../../contracts/capabilities.ts';
import { KernelError } from '../../contracts/error.ts';
import { effects } from '../../contracts/tool.ts';
import { parseLockJson } from '../../host/install/parse-lock.ts';
import { firstUnprintable } from '../../lib/text/printable.ts';

const maxPlugins = 500;

const printable = (maxLength: number) =>
  v.pipe(
    v.string(),
    v.maxLength(maxLength),
    v.check((text) => firstUnprintable(text) === undefined, 'holds an unprintable character'),
  );
const name = v.pipe(
  printable(64),
  v.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'is no name of a plugin'),
);

const entry = v.object({
  name,
  version: printable(64),
  source: v.pipe(printable(2_000), v.minLength(1)),
  resolved: v.exactOptional(printable(2_000)),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'is no SHA-256 in hex')),
  imports: v.pipe(v.array(printable(300)), v.maxLength(2_000)),
  wants: v.array(v.object({ capability: v.picklist(capabilityNames), why: printable(200) })),
  tools: v.array(v.object({ name: printable(64), effect: v.picklist(effects) })),
  identity: v.exactOptional(
    v.object({ text: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,600}$/, 'is no identity')) }),
  ),
  publishedAs: v.exactOptional(name),
});

/** A lock's statement about a plugin, believed only if the binary says the same. */
export type LockedPlugin = v.InferOutput<typeof entry>;

const lock = v.object({
  lockVersion: v.literal(1),
  plugins: v.pipe(
    v.array(entry),
    v.maxLength(maxPlugins),
    v.checkItems(
      (item, index, items) => items.findIndex((other) => other.name === item.name) === index,
      'names a plugin a second time',
    ),
  ),
});

/**
 * Reads `plugins.lock` of a project or of another home; the latter has more fields than needed.
 *
 * @throws {KernelError} `plugin-fault` naming the line or the field
 */
export function parseProjectLock(text: string, path: string): LockedPlugin[] {
  const parsed = v.safeParse(lock, parseLockJson(text, path), { abortEarly: true });
  if (parsed.success) return parsed.output.plugins;
  const [issue] = parsed.issues;
  const at = v.getDotPath(issue) ?? '(all)';
  throw new KernelError('plugin-fault', `${path} has a wrong "${at}": ${issue.message}`, {
    hint: `Correct it, or write it again: cuervo plugin install SOURCE --project`,
  });
}

/** One field a line, sorted by name, so that git can merge two additions. */
export function formatProjectLock(plugins: readonly LockedPlugin[]): string {
  const sorted = plugins.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return `${JSON.stringify({ lockVersion: 1, plugins: sorted }, null, 2)}\n`;
}
