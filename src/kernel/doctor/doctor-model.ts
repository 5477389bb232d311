import type { Config } from '../../config/load-config.ts';
import { providerOf } from '../ask/model-providers.ts';
import type { Finding } from './doctor-finding.ts';

/** The configured model, as far as can be told without starting or asking it. */
export function checkModel(config: Pick<Config, 'model' | 'anthropic'>): Finding {
  const name = 'model';
  const provider = providerOf(config.model);
  if (provider !== undefined) return { name, ...provider.check(config) };
  return { name, status: 'ok', finding: 'none is configured: answers are passages' };
}
