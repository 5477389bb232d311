import type { PluginToml } from './parse-plugin-toml.ts';
import type { ToolchainOptions } from './run-toolchain.ts';

export type LanguageOptions = ToolchainOptions & {
  toml: PluginToml;
  /** an empty folder of this build */
  scratch: string;
  /** folder with the WIT packages `host` and `plugin` */
  witFolder: string;
  /**
   * A core module with the types of its exports in it, as a component.
   *
   * @param adapter what its calls of WASI preview 1 go through; undefined where it makes none
   */
  makeComponent(module: Uint8Array, adapter: 'reactor' | undefined): Promise<Uint8Array>;
};

/** Builds a folder by the toolchain of its language. @returns the binary, without its manifest */
export type BuildLanguage = (options: LanguageOptions) => Promise<Uint8Array>;
