import type { ManifestLimits, Want } from '../../contracts/capability.ts';
import type { PluginIdentity } from '../../contracts/plugins.ts';
import type { FileMessage } from '../../protocol/messages.ts';
import type { ToolDescription } from './component/parse-describe.ts';

/** The binary itself, kept beside what was made of it. */
export const componentFile = 'component.wasm';

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

/** A plugin in `plugins.lock`: the binary and its wants, never its permissions. */
export type PluginRecord = {
  name: string;
  version: string;
  description: string;
  /** SHA-256 of the `.wasm`, hex; also the name of its folder in the store */
  sha256: string;
  /** bytes of the `.wasm` */
  size: number;
  imports: readonly string[];
  exports: readonly string[];
  wants: readonly Want[];
  /** that it asks to have higher; absent where it does not */
  limits?: ManifestLimits;
  tools: readonly ToolDescription[];
  /** what was made of the binary, and by which version of the transpiler */
  transpiler: string;
  /** SHA-256 of each prepared file, hex */
  files: Readonly<Record<string, string>>;
  /** SHA-256 of each file that is kept packed, hex, by the name of what it holds */
  packed?: Readonly<Record<string, string>>;
  /** pages that the memories of one instance of each core module may take, by file */
  pages: Readonly<Record<string, number>>;
  /** sum over one instance of the component */
  maxPages: number;
  /** what it was prepared for, in bytes of memory; another limit means preparing it anew */
  memoryBytes?: number;
  /** where it came from, as the person typed it; `built-in` for our own */
  source: string;
  /** the source without its version */
  base?: string;
  /** exactly this binary there: `npm:csv-kit@1.2.0`, `oci://…@sha256:…` */
  resolved?: string;
  /** the publisher; absent when unsigned */
  identity?: PluginIdentity;
  /** what its author calls it, where a person gave it another name */
  publishedAs?: string;
  /** whose `kv` and memory it has; its name where nothing else is said */
  data?: string;
  licence?: string;
  homepage?: string;
  /** milliseconds since the Unix epoch */
  installedMs: number;
};
