import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTestModel } from '../fixtures/find-test-model.ts';
import { smallGguf } from '../fixtures/small-gguf.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace } from '../support/place.ts';

const question = 'where is the retry limit set?';
const stories = findTestModel('stories260K');
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
