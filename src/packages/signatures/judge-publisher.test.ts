import { describe, expect, it } from 'vitest';
import { type Candidate, judgePublisher, type Known } from './judge-publisher.ts';

const alice = { text: 'github:a/kit/.github/workflows/p.yml', kind: 'sigstore' as const };
const mallory = { text: 'github:m/kit/.github/workflows/p.yml', kind: 'sigstore' as const };
const candidate = (more: Partial<Candidate> = {}): Candidate => ({
  ...{ name: 'kit', sha256: 'b', source: 'npm:kit@2.0.0', base: 'npm:kit', identities: [] },
  ...more,
});
const known = (more: Partial<Known> = {}): Known => ({
  ...{ old: undefined, publishers: [], keys: [], require: 'pinned' },
  ...{ replace: false, keepData: false },
  ...more,
});
const old = { name: 'kit', sha256: 'a', source: 'npm:kit', base: 'npm:kit', data: 'kit' };
const pin = {
  plugin: 'kit',
  identity: alice.text,
  source: 'npm:kit',
  data: 'kit',
  digests: [],
  pinned: true,
};
const nobodys = { ...pin, identity: 'nobody', digests: ['a'] };

describe('judgePublisher()', () => {
  it('pins who vouches at first, and the data of the name', () => {
    const { publisher } = judgePublisher(candidate({ identities: [alice] }), known());
    expect(publisher).toEqual({
      plugin: 'kit',
      identity: alice.text,
      source: 'npm:kit',
      data: 'kit',
      digests: [],
    });
  });

  it('refuses nobody and somebody else where somebody was pinned, also after a removal', () => {
    for (const identities of [[], [mallory]]) {
      for (const installed of [old, undefined]) {
        const judge = () =>
          judgePublisher(candidate({ identities }), known({ old: installed, publishers: [pin] }));
        expect(judge).toThrow(expect.objectContaining({ code: 'permission-denied' }));
      }
    }
    const same = judgePublisher(
      candidate({ identities: [mallory, alice] }),
      known({ old, publishers: [pin] }),
    );
    expect(same.identity).toBe(alice);
  });

  it('takes an update of the same source from nobody, with its data', () => {
    const { publisher } = judgePublisher(candidate(), known({ old, publishers: [nobodys] }));
    expect(publisher).toMatchObject({ data: 'kit', digests: ['a', 'b'] });
  });

  it('refuses another source of that name, or gives it data of its own', () => {
    const other = candidate({ base: '/x.wasm', source: '/x.wasm' });
    expect(() => judgePublisher(other, known({ old, publishers: [nobodys] }))).toThrow(
      'there is a plugin "kit" already, from npm:kit; this one is from /x.wasm',
    );
    const replaced = judgePublisher(other, known({ old, publishers: [nobodys], replace: true }));
    expect(replaced.publisher.data).toBe('kit~2');
    expect(replaced.told.join()).toContain('start empty');
    const handed = judgePublisher(
      other,
      known({ old, publishers: [nobodys], replace: true, keepData: true }),
    );
    expect(handed.publisher.data).toBe('kit');
  });

  it('gives a plugin that was removed its own data back, and another one none of it', () => {
    const gone = { ...nobodys, pinned: false };
    const again = judgePublisher(candidate({ sha256: 'a' }), known({ publishers: [gone] }));
    expect(again.publisher.data).toBe('kit');
    const other = judgePublisher(candidate({ sha256: 'c' }), known({ publishers: [gone] }));
    expect(other.publisher.data).toBe('kit~2');
  });

  it('takes nothing unsigned and no unknown key where a signature is wanted', () => {
    const key = { text: `ed25519:${'a'.repeat(43)}`, kind: 'key' as const };
    const strict = known({ require: 'signed' });
    for (const identities of [[], [key]])
      expect(() => judgePublisher(candidate({ identities }), strict)).toThrow('"signed"');
    const judged = judgePublisher(candidate({ identities: [key] }), {
      ...strict,
      keys: [key.text],
    });
    expect(judged.identity).toBe(key);
  });

  it('only tells of another publisher where the person takes any', () => {
    const judged = judgePublisher(
      candidate({ identities: [mallory] }),
      known({ old, publishers: [pin], require: 'any' }),
    );
    expect(judged.told[0]).toBe(`It was by ${alice.text} before.`);
    expect(judged.publisher.data).toBe('kit~2');
  });
});
