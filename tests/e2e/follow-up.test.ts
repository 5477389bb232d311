import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMaker, type Maker } from '../support/git-repositories.ts';
import { openPlace, type Place } from '../support/place.ts';

/** What a person reads: the answer without its last empty line. */
async function ask(place: Place, question: string, ...flags: string[]): Promise<string[]> {
  const ran = await place.cuervo(['ask', ...flags, question]);
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 0 });
  return ran.stdout.trimEnd().split('\n');
}

let place: Place;
let maker: Maker;
beforeAll(() => {
  place = openPlace({
    'src/harbour.ts': 'export function moor(rope: string): string {\n  return rope;\n}\n',
    'src/pier.ts': "import { moor } from './harbour.ts';\n\nmoor('north');\n",
    'src/harbour.test.ts': "import { moor } from './harbour.ts';\n\nmoor('south');\n",
  });
  maker = createMaker(place.work, place.dir, place.dir);
  maker.git('init', '--quiet', '--initial-branch=main');
  maker.git('config', 'user.name', 'Ann');
  maker.git('config', 'user.email', 'ann@example.org');
  maker.commit('Moor with a rope');
  place.write({ 'src/pier.ts': "import { moor } from './harbour.ts';\n\nmoor('west');\n" });
  maker.commit('Turn the pier');
  place.write({
    'src/harbour.ts': 'export function moor(rope: string): string {\n  return rope.trim();\n}\n',
  });
  maker.commit('Take the ends off the rope');
});
afterAll(() => place[Symbol.dispose]());

describe('ask -c goes on with the last answer', () => {
  it('says how it read each question, and answers that one', async () => {
    const defined = await ask(place, 'where is moor defined?');
    expect(defined).toContain('src/harbour.ts:1-3');
    const callers = await ask(place, 'and who calls it?', '-c');
    expect(callers[0]).toBe('Read as: who calls moor');
    expect(callers.join('\n')).toContain("src/pier.ts:3  moor('west');");
    const second = await ask(place, 'the second one', '-c');
    expect(second[0]).toMatch(/^Read as: show src\/\S+\.ts:\d+$/);
    const tests = await ask(place, 'which tests cover harbour.ts?');
    expect(tests.join('\n')).toContain('src/harbour.test.ts');
    // The tests were those of a file, which `it` stands for now.
    const history = await ask(place, 'who changed it last?', '-c');
    expect(history[0]).toBe('Read as: who changed harbour.ts last');
    expect(history.join('\n')).toContain('Ann  Take the ends off the rope');
    expect(history.join('\n')).not.toContain('Turn the pier');
  });

  it('counts the files and the commits of a list', async () => {
    const files = (await ask(place, 'list the files in src')).join('\n');
    expect(files).toMatch(/^ {2}src\/pier\.ts {2}\d+ B$/m);
    const third = await ask(place, 'what is in the third one?', '-c');
    expect(third[0]).toBe('Read as: what is in src/pier.ts');
    expect(third.join('\n')).toContain("moor('west');");
    await ask(place, 'what changed recently?');
    const commit = (await ask(place, 'show the second commit', '-c')).join('\n');
    expect(commit).toMatch(/^Read as: show commit [0-9a-f]{10}$/m);
    expect(commit).toContain('Turn the pier');
  });

  it('knows nothing of an answer where -c is not given', async () => {
    const alone = await place.cuervo(['ask', 'who calls it?']);
    expect(alone).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('"it" stands for nothing: no answer came before'),
    });
  });
});

describe('history of the lines of a function', () => {
  it('is the commits that changed them, and no others', async () => {
    const lines = (await ask(place, 'history of moor()')).join('\n');
    expect(lines).toContain('Take the ends off the rope');
    expect(lines).toContain('Moor with a rope');
    expect(lines).not.toContain('Turn the pier');
  });

  it('says why by the message and the change of the last one', async () => {
    const why = (await ask(place, 'why was moor() changed?')).join('\n');
    expect(why).toContain('+  return rope.trim();');
    expect(why).not.toContain("+moor('west');");
  });

  it('says which commit brought it', async () => {
    const added = (await ask(place, 'when was moor() added?')).join('\n');
    expect(added.indexOf('Moor with a rope')).toBeGreaterThan(0);
    expect(added).toContain('+export function moor(rope: string): string {');
  });
});
