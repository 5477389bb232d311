import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace } from '../support/place.ts';

const userRules = `
[[rule]]
name = "unit-tests"
decision = "allow"
reason = "runs our own tests"
program = "npm"
args = ["test"]
match = ["npm test"]
not_match = ["npm run x"]
`;

describe('cuervo policy test', () => {
  it('says what decides on a line, as one object of four fields', async () => {
    using place = openPlace();
    const { rows, code } = await place.cuervo(['policy', 'test', 'ls -la | wc -l', '--json']);
    expect({ rows, code }).toEqual({
      code: 0,
      rows: [{ command: 'ls -la | wc -l', decision: 'allow', rule: 'ls', reason: 'lists files' }],
    });
    expect(existsSync(place.home)).toBe(false);
  });

  it('lets the strictest of several commands decide', async () => {
    using place = openPlace();
    const { rows } = await place.cuervo(['policy', 'test', 'ls; sudo ls && npm test', '--json']);
    expect(rows).toMatchObject([{ decision: 'deny', rule: 'privileges' }]);
  });

  it('asks about a line that it does not understand, and names what', async () => {
    using place = openPlace();
    const { stdout } = await place.cuervo(['policy', 'test', 'echo $((1+1))']);
    expect(stdout).toMatch(/^ask {2}not-understood {2}.*arithmetic/);
  });

  it('goes by the rules of the user, and not by a file of the project', async () => {
    using place = openPlace({ 'rules.toml': userRules, 'cuervo.toml': '' });
    const before = await place.cuervo(['policy', 'test', 'npm test', '--json']);
    mkdirSync(place.home);
    writeFileSync(join(place.home, 'rules.toml'), userRules);
    const after = await place.cuervo(['policy', 'test', 'npm test', '--json']);
    expect(before.rows).toMatchObject([{ decision: 'ask', rule: 'runs-code' }]);
    expect(after.rows).toMatchObject([{ decision: 'allow', rule: 'unit-tests' }]);
  });

  it('counts the rules of a set only where it is named, and knows no set that is not there', async () => {
    using place = openPlace();
    mkdirSync(place.home);
    const inSet = userRules.replace('decision', 'set = "tests"\ndecision');
    writeFileSync(join(place.home, 'rules.toml'), inSet);
    const test = (...more: string[]) =>
      place.cuervo(['policy', 'test', 'npm test', '--json', ...more]);
    expect((await test()).rows).toMatchObject([{ decision: 'ask', rule: 'runs-code' }]);
    expect((await test('--yes', 'tests')).rows).toMatchObject([{ decision: 'allow' }]);
    const other = await test('--yes', 'all');
    expect(other).toMatchObject({ code: 2 });
    expect(other.stdout).toContain('no rule belongs to the set \\"all\\"; there are tests');
  });

  it('allows no program where there is no sandbox, and denies as ever', async () => {
    using place = openPlace();
    mkdirSync(place.home);
    writeFileSync(join(place.home, 'config.toml'), '[exec]\nsandbox = "none"\n');
    const { rows } = await place.cuervo(['policy', 'test', 'git status', '--json']);
    expect(rows).toMatchObject([
      {
        ...{ decision: 'ask', rule: 'git-status' },
        reason: expect.stringContaining('exec.sandbox is "none"'),
      },
    ]);
    const denied = await place.cuervo(['policy', 'test', 'sudo ls', '--json']);
    expect(denied.rows).toMatchObject([{ decision: 'deny' }]);
    writeFileSync(join(place.home, 'config.toml'), '[exec]\nsandbox = "os"\n');
    const control = await place.cuervo(['policy', 'test', 'git status', '--json']);
    expect(control.rows).toMatchObject([{ decision: 'allow' }]);
  });

  it('names the rule and the example that it fails', async () => {
    using place = openPlace();
    mkdirSync(place.home);
    const wrong = userRules.replace('npm run x', 'npm test');
    writeFileSync(join(place.home, 'rules.toml'), wrong);
    const { code, stderr } = await place.cuervo(['policy', 'test', 'ls']);
    expect(code).toBe(2);
    expect(stderr).toContain('rules.toml: rule unit-tests matches its example "npm test"');
  });
});

describe('cuervo policy rules', () => {
  it('lists the rules of the user before those that are shipped', async () => {
    using place = openPlace();
    mkdirSync(place.home);
    writeFileSync(join(place.home, 'rules.toml'), userRules);
    const { rows } = await place.cuervo(['policy', 'rules', '--json']);
    expect(rows[0]).toMatchObject({ name: 'unit-tests', source: 'user', programs: ['npm'] });
    expect(rows).toContainEqual(expect.objectContaining({ name: 'ls', source: 'shipped' }));
  });
});
