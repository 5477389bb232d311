import { describe, expect, it } from 'vitest';
import { createContentGate } from '../../contracts/content-gate.ts';
import { findWithheld } from './find-withheld.ts';

const gate = createContentGate({ work: [':add own/**'] });
const hash = 'a'.repeat(40);
/** What git says of these names; of all others nothing. */
const known: Readonly<Record<string, string>> = {
  ...{ main: 'commit', 'main^{}': 'commit', 'main^{commit}': 'commit', 'HEAD^{commit}': 'commit' },
  ...{ light: 'blob', 'light^{}': 'blob', heavy: 'tag', 'heavy^{}': 'blob' },
  ...{ folder: 'tag', 'folder^{}': 'tree', 'main:own': 'tree', 'main:': 'tree' },
  ...{ 'main:a.ts': 'blob', 'main:own/a': 'blob', ':own/a': 'blob', ':a.ts': 'blob' },
  ...{ 'folder:a': 'blob', 'main:./a': 'blob', 'main:../own/a': 'blob', 'main^{tree}': 'tree' },
};

const find = async (line: string, cwd: readonly string[] = [], top: readonly string[] = []) => {
  const asked: string[] = [];
  const place = { root: 'work', cwd, top, main: top };
  const found = await findWithheld(line.split(' '), place, gate, async (names) => {
    asked.push(...names);
    return names.map((name) =>
      name === 'abcd'
        ? `${name} ambiguous`
        : name in known
          ? `${hash} ${known[name]}`
          : `${name} missing`,
    );
  });
  return { found: found?.text, asked };
};

describe('findWithheld()', () => {
  it.each([
    ...['show light', 'show heavy', 'cat-file -p light', 'diff main..light', 'log ^light'],
    ...['show main:own/a', 'show :own/a', 'show folder:a', 'show abcd', 'archive folder'],
    ...['diff main:own main', 'grep x folder', 'blame own/a', 'annotate main -- own/a'],
    ...['log -L1,2:own/a', 'log -L :x:own/a', 'log -pL/a:b/,+1:own/a', 'show --tags'],
    ...['show --glob=refs/*', 'cat-file --batch', 'cat-file --batch-c', 'bundle create - main'],
    ...['tag --format=%(raw)', 'for-each-ref --sort=-raw', 'config --blob=light -l'],
    ...['-C x show light', 'unknown light', 'stash show light'],
  ])('withholds what git %s would show', async (line) => {
    expect((await find(line)).found).toBeTypeOf('string');
  });

  it.each([
    ...['show main', 'show main:a.ts', 'show :a.ts', 'show main:own', 'cat-file -p main:own'],
    ...['diff main: main^{tree}', 'blame a.ts', 'log -L1,2:a.ts', 'log --tags', 'show nothing'],
    ...['cat-file -t light', 'cat-file --batch-check', 'rev-parse light', 'tag -l', 'status'],
    ...['show -- light', 'for-each-ref --format=%(refname)', '--version'],
  ])('has nothing against git %s', async (line) => {
    expect((await find(line)).found).toBeUndefined();
  });

  it('reads a path from the folder, from the top and from the root', async () => {
    expect((await find('show main:./a', ['own'])).found).toMatch(
      /"main:\.\/a" is a protected file/,
    );
    expect((await find('show main:../own/a', ['x'])).found).toMatch(/protected/);
    expect((await find('show main:a.ts', [], ['own'])).found).toMatch(/protected/);
    expect((await find('show main:./a', ['x'])).found).toBeUndefined();
  });

  it('asks nothing where a command names commits that need no question', async () => {
    for (const line of ['show', 'log -p HEAD~3..HEAD^2', 'commit -m light', 'diff -- light'])
      expect(await find(line)).toEqual({ found: undefined, asked: [] });
  });

  it('refuses a name with a line break, which could not be asked about', async () => {
    const place = { root: 'work', cwd: [], top: [], main: [] };
    const found = await findWithheld(['show', 'main^{/a\nb}:own/a'], place, gate, async () => []);
    expect(found?.text).toMatch(/line break/);
  });
});
