import { join } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { reasonOf } from '../lib/reason-of.ts';
import { describeMemoryModels } from './describe-memory-models.ts';
import { edit } from './doctor-files.ts';
import type { Finding } from './doctor-finding.ts';

/** The models of memory, as far as can be told without loading them. */
export function checkMemory(config: Pick<Config, 'home' | 'memory'>): Finding {
  const name = 'memory';
  try {
    return { name, status: 'ok', finding: describeMemoryModels(config) };
  } catch (thrown) {
    const finding = `memory is searched by words alone: ${reasonOf(thrown)}`;
    return { name, status: 'fail', finding, fix: edit(join(config.home, 'config.toml')) };
  }
}
