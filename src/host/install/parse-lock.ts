import * as v from 'valibot';
import { capabilityNames } from '../../contracts/capabilities.ts';
import { KernelError } from '../../contracts/error.ts';
import { effects } from '../../contracts/tool.ts';
import type { PluginRecord } from './plugin-record.ts';

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const strings = v.array(v.string());

const record = v.object({
  name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)),
  version: v.string(),
  description: v.string(),
  sha256: digest,
  size: v.number(),
  imports: strings,
  exports: strings,
  wants: v.array(v.object({ capability: v.picklist(capabilityNames), why: v.string() })),
  limits: v.optional(v.object({ hostCalls: v.exactOptional(v.number()) })),
  tools: v.array(
    v.object({
      name: v.string(),
      description: v.string(),
      inputSchema: v.record(v.string(), v.unknown()),
      outputSchema: v.optional(v.record(v.string(), v.unknown())),
      effect: v.picklist(effects),
      examples: v.array(v.record(v.string(), v.unknown())),
    }),
  ),
  transpiler: v.string(),
  files: v.record(
    v.pipe(v.string(), v.regex(/^component(\.core\d*\.wasm|\.js|\.code|\.adapter\.json)$/)),
    digest,
  ),
  packed: v.optional(
    v.record(v.pipe(v.string(), v.regex(/^component(\.core\d*)?\.wasm$/)), digest),
  ),
  pages: v.record(v.string(), v.number()),
  maxPages: v.number(),
  source: v.string(),
  installedMs: v.number(),
});

const lock = v.object({ lockVersion: v.literal(1), plugins: v.array(record) });

/**
 * @param path for messages
 * @throws {KernelError} `plugin-fault`: a lock that cannot be read is not an empty lock
 */
export function parseLock(text: string, path: string): PluginRecord[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(path, 'is not JSON');
  }
  const parsed = v.safeParse(lock, value);
  if (!parsed.success) {
    throw damaged(path, `has a wrong "${v.getDotPath(parsed.issues[0]) ?? '(all)'}"`);
  }
  return parsed.output.plugins as PluginRecord[];
}

export function formatLock(plugins: readonly PluginRecord[]): string {
  return `${JSON.stringify({ lockVersion: 1, plugins }, null, 1)}\n`;
}

function damaged(path: string, how: string): KernelError {
  return new KernelError('plugin-fault', `${path} ${how}`, {
    hint: `Restore ${path}, or remove it and install the plugins again.`,
  });
}
