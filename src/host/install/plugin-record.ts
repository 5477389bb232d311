import type { ManifestLimits, Want } from '../../contracts/capability.ts';
import type { ToolDescription } from './component/parse-describe.ts';

/** What `plugins.lock` holds of a plugin: what the binary is and wants, never what it may. */
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
  /** where it came from, as the person typed it; `built-in` for our own */
  source: string;
  /** milliseconds since the Unix epoch */
  installedMs: number;
};
