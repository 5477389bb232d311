import { join } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { reasonOf } from '../lib/reason-of.ts';
import { describeEmbedder, describeReranker } from './describe-memory-models.ts';
import { edit } from './doctor-files.ts';
import type { Finding } from './doctor-finding.ts';

/** The models of memory, as far as can be told without loading them. */
export function checkMemory(config: Pick<Config, 'home' | 'memory'>): Finding {
  const name = 'memory';
  const vectors = told(() => describeEmbedder(config), 'memory is searched by words alone');
  const reranker = told(() => describeReranker(config), 'the best hits are not looked at again');
  const finding = `${vectors.text}, ${reranker.text}`;
  if (!vectors.isFailed && !reranker.isFailed) return { name, status: 'ok', finding };
  return { name, status: 'fail', finding, fix: edit(join(config.home, 'config.toml')) };
}

/** @param otherwise what becomes of searches where it cannot be told */
function told(describe: () => string, otherwise: string): { text: string; isFailed: boolean } {
  try {
    return { text: describe(), isFailed: false };
  } catch (thrown) {
    return { text: `${otherwise}: ${reasonOf(thrown)}`, isFailed: true };
  }
}
