import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { type Ended, runMany } from '../support/run-many.ts';
import { type Query, searchQueries, type TreeName } from '../support/search-queries.ts';
import { searchTrees } from '../support/search-trees.ts';

const hasRipgrep = spawnSync('rg', ['--version']).status === 0;
const seed = 20261122;
const numQueries = 200;

const fixed = ['--no-config', '--no-require-git', '--no-ignore-global'];

function ripgrep(folder: string, args: readonly string[]): string[] {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  const run = spawnSync('rg', [...fixed, ...args, '.'], options);
  if (run.status === 2) throw new Error(run.stderr);
  return run.stdout.split(/[\n\0]/);
}

/** `path:line` of each line that matches, as ripgrep tells it. */
function findWithRipgrep(work: string, query: Query): string[] {
  const { folder, files, globs, pattern } = query;
  const place = join(work, folder);
  const own = ['--json', '--crlf', ...files, ...globs, ...pattern];
  const matches = ripgrep(place, own)
    .filter((line) => line.startsWith('{"type":"match"'))
    .map((line) => JSON.parse(line).data as { path: { text: string }; line_number: number });
  // Its globs bring back what is ignored; ours do not.
  const kept = new Set(ripgrep(place, ['--files', '--null', ...files]));
  return matches
    .filter(({ path }) => kept.has(path.text))
    .map(({ path, line_number }) => `${join(folder, path.text)}:${line_number}`)
    .sort();
}

describe.skipIf(!hasRipgrep)('search.grep beside ripgrep (needs: apt-get install ripgrep)', () => {
  const places = new Map<TreeName, Place>();
  const queries = searchQueries(seed, numQueries);
  const ended = new Map<Query, Ended>();
  const expected = new Map<Query, string[]>();

  beforeAll(async () => {
    const trees = searchTrees(seed);
    for (const name of ['project', 'encodings', 'random'] as const) {
      const place = openPlace(trees[name]);
      places.set(name, place);
      const asked = queries.filter(({ tree }) => tree === name);
      const inputs = asked.map(({ input }) => input);
      const results = await runMany(place, 'search.grep', inputs);
      for (const [at, query] of asked.entries()) {
        const result = results[at];
        if (result !== undefined) ended.set(query, result);
        expected.set(query, findWithRipgrep(place.work, query));
      }
    }
  });
  afterAll(() => {
    for (const place of places.values()) place[Symbol.dispose]();
  });

  it(`finds the same lines of the same files for ${numQueries} generated queries`, () => {
    const differing = queries.flatMap((query) => {
      const { content, message } = ended.get(query) ?? {};
      const { matches, truncated, counts } = (content ?? {}) as {
        matches?: { path: string; line: number }[];
        truncated?: boolean;
        counts?: { path: string; matches: number }[];
      };
      const own = matches?.map(({ path, line }) => `${path}:${line}`).sort();
      const wanted = expected.get(query) ?? [];
      const counted = counts?.flatMap(({ path, matches }) => Array<string>(matches).fill(path));
      const same =
        truncated === false &&
        JSON.stringify(own) === JSON.stringify(wanted) &&
        JSON.stringify(counted?.sort()) ===
          JSON.stringify(wanted.map((each) => each.slice(0, each.lastIndexOf(':'))).sort());
      if (same) return [];
      const without = (one: string[], other: string[]) =>
        one.filter((each) => !other.includes(each)).slice(0, 5);
      return [
        {
          ...{ tree: query.tree, input: JSON.stringify(query.input), message },
          onlyHere: without(own ?? [], wanted),
          onlyThere: without(wanted, own ?? []),
        },
      ];
    });
    expect(differing).toEqual([]);
    expect(queries).toHaveLength(numQueries);
  });

  it('asks for enough: most queries find something, and some nothing', () => {
    const counts = queries.map((query) => expected.get(query)?.length ?? 0);
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(numQueries / 2);
    expect(counts.filter((count) => count === 0).length).toBeGreaterThan(5);
  });
});
