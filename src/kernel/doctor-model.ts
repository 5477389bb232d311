import type { Config } from '../config/load-config.ts';
import { expandHome } from '../lib/expand-home.ts';
import { reasonOf } from '../lib/reason-of.ts';
import { checkGguf } from '../models/llama/check-gguf.ts';
import type { Finding } from './doctor-finding.ts';
import { isModelFile } from './open-model.ts';

/** The configured model, as far as can be told without starting or asking it. */
export function checkModel({ model, anthropic }: Pick<Config, 'model' | 'anthropic'>): Finding {
  const name = 'model';
  if (model === 'none') {
    return { name, status: 'ok', finding: 'none is configured: answers are passages' };
  }
  if (isModelFile(model)) {
    try {
      const path = expandHome(model);
      checkGguf(path);
      return { name, status: 'ok', finding: `${path} has the header and length of a GGUF model` };
    } catch (thrown) {
      return { name, status: 'fail', finding: reasonOf(thrown), fix: 'export CUERVO_MODEL=none' };
    }
  }
  if (anthropic.apiKey === undefined || anthropic.apiKey === '') {
    const finding = `${model} is a model of a provider and ANTHROPIC_API_KEY is not set`;
    return { name, status: 'fail', finding, fix: 'export ANTHROPIC_API_KEY=…' };
  }
  const finding = `${model} is a model of a provider, the key is set; the provider was not asked`;
  return { name, status: 'ok', finding };
}
