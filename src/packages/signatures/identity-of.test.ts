import { describe, expect, it } from 'vitest';
import { identityOf } from './verify-proofs.ts';

const github = 'https://token.actions.githubusercontent.com';
const at = (id: string, value: string) => ({
  oid: { id: [1, 3, 6, 1, 4, 1, 57264, 1, Number(id)] },
  value: Buffer.concat([Buffer.from([0x0c, value.length]), Buffer.from(value)]),
});

describe('identityOf()', () => {
  it('shows look-alike letters and what nobody sees as what they are', () => {
    const subject = 'https://github.com/аcme/kit/.github/workflows/a\u202e.yml@refs/heads/main';
    const found = identityOf({ subjectAlternativeName: subject, extensions: { issuer: github } });
    expect(found?.text).toBe('github:%D0%B0cme/kit/.github/workflows/a%E2%80%AE.yml');
  });

  it('tells a workflow of another repository apart from one of its own', () => {
    const subjectAlternativeName =
      'https://github.com/slsa/builder/.github/workflows/build.yml@refs/tags/v2';
    const oids = [at('8', github), at('12', 'https://github.com/acme/kit'), at('15', '77')];
    expect(identityOf({ subjectAlternativeName, oids })).toMatchObject({
      text: 'github:acme/kit+slsa/builder/.github/workflows/build.yml',
      repositoryId: '77',
    });
  });

  it('names the issuer of everybody else', () => {
    const found = identityOf({
      subjectAlternativeName: 'jo@example.org',
      extensions: { issuer: 'https://accounts.example.org' },
    });
    expect(found?.text).toBe('https://accounts.example.org#jo@example.org');
    expect(found?.workflow).toBeUndefined();
  });

  it('takes no certificate without a subject or an issuer', () => {
    expect(identityOf({ subjectAlternativeName: 'jo@example.org' })).toBeUndefined();
    expect(identityOf({ extensions: { issuer: github } })).toBeUndefined();
  });
});
