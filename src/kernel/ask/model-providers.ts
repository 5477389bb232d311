import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import type { Confine } from '../../contracts/confined-program.ts';
import { KernelError } from '../../contracts/error.ts';
import type { ChatModel } from '../../contracts/model.ts';
import { expandHome } from '../../lib/files/expand-home.ts';
import { llamaPackage } from '../../lib/parts/llama-package.ts';
import { reasonOf } from '../../lib/reason-of.ts';
import { checkGguf } from '../../models/llama/check-gguf.ts';
import type { Finding } from '../doctor/doctor-finding.ts';

type ModelConfig = Pick<Config, 'model' | 'anthropic' | 'paths'>;

/** Where a model comes from: one row for `ask`, `model test` and `doctor`. */
export type ModelProvider = {
  /** whether the name of a model means one of this provider */
  matches(model: string): boolean;
  /** A check that neither starts nor asks the model. */
  check(config: Pick<Config, 'model' | 'anthropic'>): Omit<Finding, 'name'>;
  /**
   * The caller owns the model.
   *
   * @throws {KernelError} `unavailable` without a key, or what the model says of its file
   */
  open(config: ModelConfig, options: { confine: Confine; signal: AbortSignal }): Promise<ChatModel>;
};

/**
 * Whether a name means a model file, even a missing one. A slash alone proves nothing: some servers
 * use it in names of models.
 */
export function isModelFile(model: string): boolean {
  const isPath = isAbsolute(model) || /^(?:\.{1,2}|~)(?:[\\/]|$)/.test(model);
  return isPath || model.toLowerCase().endsWith('.gguf') || existsSync(model);
}

const llama: ModelProvider = {
  matches: isModelFile,
  check: ({ model }) => {
    try {
      const path = expandHome(model);
      checkGguf(path);
      return { status: 'ok', finding: `${path} has the header and length of a GGUF model` };
    } catch (thrown) {
      return { status: 'fail', finding: reasonOf(thrown), fix: 'export CUERVO_MODEL=none' };
    }
  },
  open: async ({ model, paths }, options) => {
    const { openLlama } = await import('../../models/open-llama.ts');
    const childPath = join(paths.dist, 'llama-child.js');
    const packages = [llamaPackage()];
    return await openLlama({ path: expandHome(model), childPath, packages, ...options });
  },
};

/** It has models of every other name, so it stands last. */
const anthropic: ModelProvider = {
  matches: () => true,
  check: ({ model, anthropic: { apiKey } }) => {
    if (apiKey === undefined || apiKey === '') {
      const finding = `${model} is a model of a provider and ANTHROPIC_API_KEY is not set`;
      return { status: 'fail', finding, fix: 'export ANTHROPIC_API_KEY=…' };
    }
    const finding = `${model} is a model of a provider, the key is set; the provider was not asked`;
    return { status: 'ok', finding };
  },
  open: async ({ model, anthropic: { apiKey, baseUrl } }) => {
    if (apiKey === undefined || apiKey === '') {
      throw new KernelError('unavailable', `the model ${model} needs a key in ANTHROPIC_API_KEY`, {
        hint: 'Set it (export ANTHROPIC_API_KEY=…), name a GGUF file, or ask with --model none',
      });
    }
    const { openAnthropic } = await import('../../models/open-anthropic.ts');
    return await openAnthropic({ model, apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) });
  },
};

/** The first that matches has the model. */
const providers: readonly ModelProvider[] = [llama, anthropic];

/** The provider of the configured model; undefined for `none` and where no provider has it. */
export function providerOf(model: string): ModelProvider | undefined {
  return model === 'none' ? undefined : providers.find(({ matches }) => matches(model));
}
