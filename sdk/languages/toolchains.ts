import { findCompiler } from './build-c.ts';
import { findComponentizer } from './build-python.ts';
import type { Language } from './language.ts';
import { type Environment, requireProgram } from './run-toolchain.ts';

/** What has to be installed before a language can be built; undefined where it is there. */
export function whyNotBuilt(language: Language, env: Environment): string | undefined {
  try {
    if (language === 'rust') requireProgram('cargo', env, rust);
    if (language === 'go') requireProgram('go', env, go);
    if (language === 'c') findCompiler(env);
    if (language === 'python') findComponentizer(env);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

const rust = 'install Rust from https://rustup.rs, then: rustup target add wasm32-wasip1';
const go = 'install Go 1.21 or later from https://go.dev/dl';
