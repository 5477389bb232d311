import { rmSync } from 'node:fs';
import { KernelError } from '../../contracts/error.ts';
import { sha256 } from '../../lib/sha256.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { type Examined, examinePlugin, type PrepareOptions } from './examine-plugin.ts';
import { takePrepared } from './kept-prepared.ts';
import type { PluginRecord } from './plugin-record.ts';
import type { PluginStore } from './plugin-store.ts';
import { preparePlugin } from './prepare-plugin.ts';

/** A plugin that is ready to be taken over, or why it is refused. */
export type Inspected = {
  examined: Examined;
  /** absent when it is refused */
  record?: PluginRecord;
  /** the same binary is installed, and all of its files are whole */
  isThere?: boolean;
  reasons: string[];
};

/**
 * Reads, judges, transpiles and describes a binary in a staging folder, which is handed to
 * `use` while it exists. Nothing of the plugin runs but `describe()`, without any capability.
 */
export async function inspectPlugin<Value>(
  bytes: Uint8Array,
  source: string,
  store: PluginStore,
  options: PrepareOptions & { nowMs: number },
  use: (inspected: Inspected, staging: string) => Promise<Value>,
): Promise<Value> {
  const examined = await examinePlugin(bytes, source, options);
  const { judgement, manifest } = examined;
  const staging = store.staging();
  try {
    if (judgement.reasons.length > 0 || manifest === undefined) {
      return await use({ examined, reasons: judgement.reasons }, staging);
    }
    let inspected: Inspected;
    try {
      const { maxMemoryBytes: memoryBytes } = options.limits;
      const digest = sha256(bytes);
      const taken = takePrepared(store, { digest, staging, memoryBytes });
      const prepared =
        taken ?? (await preparePlugin(bytes, { ...examined, manifest }, staging, options));
      const { imports, exports } = judgement;
      const record = { ...prepared, imports, exports, source, installedMs: options.nowMs };
      const isThere = taken !== undefined && store.list().some((each) => each.sha256 === digest);
      inspected = { examined, record, isThere, reasons: [] };
    } catch (thrown) {
      const error = KernelError.from(thrown, 'internal');
      if (error.code !== 'plugin-fault' && error.code !== 'deadline-exceeded') throw error;
      inspected = { examined, reasons: [error.message] };
    }
    return await use(inspected, staging);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * @throws {KernelError} `plugin-fault` with the first reason when the binary is refused
 */
export async function installPlugin(
  bytes: Uint8Array,
  source: string,
  store: PluginStore,
  options: PrepareOptions & { nowMs: number },
): Promise<PluginRecord> {
  return await inspectPlugin(bytes, source, store, options, async (inspected, staging) => {
    const { record, reasons } = inspected;
    if (record === undefined) {
      throw new KernelError('plugin-fault', `refused: ${reasons.join('; ')}`, {
        hint: `See what it is with: cuervo plugin inspect ${shellWord(source)}`,
      });
    }
    store.add(record, staging);
    return record;
  });
}
