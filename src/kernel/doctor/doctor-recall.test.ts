import { describe, expect, it } from 'vitest';
import { checkMemory } from './doctor-recall.ts';

const home = '/nowhere/home';
const check = (embedder: string, reranker: string) =>
  checkMemory({
    home,
    memory: {
      ...{ embedder, reranker, rerankTimeoutMs: 1000, shared: undefined },
      ...{ turnRows: 1, turnDays: undefined, factRows: 1 },
    },
  });

describe('checkMemory()', () => {
  it('names the model without a folder, and what searches do then', () => {
    expect(check('static', 'none')).toMatchObject({
      status: 'ok',
      finding: "memory's vectors come from the built-in table, the best hits are not reranked",
    });
    expect(check('static', 'nosuch')).toMatchObject({
      status: 'fail',
      finding: `memory's vectors come from the built-in table, the best hits are not reranked: there is no model folder ${home}/models/nosuch`,
      fix: expect.stringContaining('config.toml'),
    });
    expect(check('static', '/nowhere/rank.gguf').finding).toContain(
      'there is no model file /nowhere/rank.gguf',
    );
    expect(check('nosuch', 'none')).toMatchObject({
      status: 'fail',
      finding: `memory is searched by words alone: there is no model folder ${home}/models/nosuch, the best hits are not reranked`,
    });
  });
});
