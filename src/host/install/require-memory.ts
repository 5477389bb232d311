import { KernelError } from '../../contracts/error.ts';
import { pageBytes } from './component/core-module.ts';
import type { PluginRecord } from './plugin-record.ts';

/**
 * A plugin is prepared for the limit that stands while it is installed, the built-in ones for the
 * default; where the limit was lowered since, no instance of it could be made.
 *
 * @throws {KernelError} `resource-exhausted` when its memories may take more than `maxMemoryBytes`
 */
export function requireMemory(
  { record, builtin }: { record: Pick<PluginRecord, 'name' | 'pages'>; builtin: boolean },
  maxMemoryBytes: number,
): void {
  const pages = Object.values(record.pages).reduce((sum, each) => sum + each, 0);
  if (pages <= Math.floor(maxMemoryBytes / pageBytes)) return;
  const bytes = pages * pageBytes;
  const key = 'limits.max-memory-bytes';
  const message = `the plugin ${record.name} is prepared for ${bytes} bytes of memory, limit ${maxMemoryBytes} (${key})`;
  const raise = `et ${key} to ${bytes} or more where it is set, in config.toml or cuervo.toml.`;
  throw new KernelError('resource-exhausted', message, {
    hint: builtin
      ? `S${raise}`
      : `Install the plugin again to prepare it for that limit; or s${raise}`,
  });
}
