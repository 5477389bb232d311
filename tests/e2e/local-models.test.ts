import {
  closeSync,
  existsSync,
  ftruncateSync,
  globSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTestModel } from '../fixtures/find-test-model.ts';
import { smallGguf } from '../fixtures/small-gguf.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';

const question = 'where is the retry limit set?';
const stories = findTestModel('stories260K');
const smollm2 = findTestModel('smollm2');
const need = stories === undefined ? ' (skipped where CUERVO_TEST_MODELS has no stories260K)' : '';

describe('a local model that is no good', () => {
  it('is refused before it is read when the memory does not hold it', async () => {
    using place = openPlace(fixtureRepository);
    const bytes = 200e9;
    const fd = openSync(join(place.work, 'huge.gguf'), 'w');
    writeSync(fd, smallGguf({ floats: 0, claims: BigInt(Math.floor((bytes - 1_024) / 4)) }));
    ftruncateSync(fd, bytes);
    closeSync(fd);
    const ran = await place.cuervo(['ask', '--model', 'huge.gguf', question]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toMatch(/huge\.gguf has 200\.0 GB, and this machine .+ GB of memory/);
    expect(ran.stderr).toContain('hint: Use a smaller model');
    const doctor = await place.cuervo(['doctor', '--json'], { env: { CUERVO_MODEL: 'huge.gguf' } });
    expect(doctor.stdout).toContain('has 200.0 GB');
  });

  it('costs its words and not the passages when native code cannot load it', async () => {
    using place = openPlace(fixtureRepository);
    writeFileSync(join(place.work, 'none.gguf'), smallGguf());
    const ran = await place.cuervo(['ask', '--model', 'none.gguf', question]);
    expect(ran.code).toBe(7);
    expect(ran.stdout).toContain('src/retry/retry-policy.ts');
    expect(ran.stderr).toMatch(/error: .+none\.gguf could not be loaded/);
  });

  it.skipIf(stories === undefined)(
    `answers in a plain form without a chat template, to two questions at once${need}`,
    async () => {
      using place = openPlace(fixtureRepository);
      const args = ['ask', '--model', stories ?? '', '--model-role', 'word', question];
      const both = await Promise.all([place.cuervo(args), place.cuervo(args)]);
      for (const ran of both) {
        expect(ran).toMatchObject({ code: 0 });
        expect(ran.stdout).toContain('src/retry/retry-policy.ts');
      }
    },
    120_000,
  );
});

describe('what a local model made of the beginning of a prompt', () => {
  const statesIn = ({ home }: Place): string[] => globSync(join(home, 'prompt-states/*/*'));

  it.skipIf(smollm2 === undefined)(
    'is kept for the next command, for its user alone (skipped where CUERVO_TEST_MODELS has no smollm2)',
    async () => {
      using place = openPlace({
        'retry.ts': 'const retryLimit = 3;\n',
        'cart.ts': 'const cart = [];\n',
      });
      const ask = (text: string, ...more: string[]) =>
        place.cuervo(['ask', '--model', smollm2 ?? '', '--model-role', 'word', text, ...more]);
      expect(await ask(question)).toMatchObject({ code: 0 });
      const kept = statesIn(place);
      expect(kept).toEqual([
        expect.stringMatching(/\/[0-9a-f]{32}\/[0-9a-f]{64}-[0-9a-f]{64}\.state$/),
      ]);
      expect(statSync(kept[0] ?? '').mode & 0o777).toBe(0o600);
      expect(statSync(join(kept[0] ?? '', '..')).mode & 0o777).toBe(0o700);
      expect(await ask('what does the cart do?')).toMatchObject({ code: 0 });
      expect(statesIn(place)).toEqual(kept);
      // One that somebody changed is not used, and another takes its place.
      writeFileSync(kept[0] ?? '', 'other bytes', { mode: 0o600 });
      expect(await ask(question)).toMatchObject({ code: 0 });
      expect(statesIn(place)).toHaveLength(1);
      expect(statSync(statesIn(place)[0] ?? '').size).toBeGreaterThan(100_000);
      writeFileSync(join(place.home, 'config.toml'), '[models]\ncache = false\n');
      await place.cuervo(['memory', 'forget', '--before', '0h', '--yes']);
      expect(await ask(question)).toMatchObject({ code: 0 });
      expect(statesIn(place)).toEqual([]);
    },
    240_000,
  );

  it.each([
    ['a session is deleted', (session: string) => ['session', 'delete', session, '--yes']],
    ['something is forgotten', () => ['memory', 'forget', '--before', '0h', '--yes']],
  ])('is gone when %s', async (_what, command) => {
    using place = openPlace(fixtureRepository);
    await place.cuervo(['ask', question]);
    const { stdout } = await place.cuervo(['session', 'list', '--json']);
    const folder = join(place.home, 'prompt-states/model');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'one.state'), 'state');
    const ran = await place.cuervo(command((JSON.parse(stdout) as { id: string }).id));
    expect(ran.code, ran.stderr).toBe(0);
    expect(existsSync(join(place.home, 'prompt-states'))).toBe(false);
  });
});
