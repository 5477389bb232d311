import type { FileMessage } from '../../protocol/messages.ts';

/** One file of a prepared plugin, its digest checked. */
export type PreparedFile = {
  /** in the folder of the plugin */
  name: string;
  /** SHA-256, hex */
  digest: string;
  bytes: Uint8Array;
};

/** The use of a file in a plugin process, by its name. */
export function kindOf(file: string): FileMessage['kind'] {
  if (file.endsWith('.wasm')) return 'module';
  return file.endsWith('.code') ? 'bytes' : 'text';
}
