import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MockSigstore, openMockSigstore } from '../../../tests/support/mock-sigstore.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { FetchedPlugin } from '../sources/parse-source.ts';
import { makeSigningKey, signDigest } from './key-signature.ts';
import { verifyProofs } from './verify-proofs.ts';

const shipped = join(import.meta.dirname, 'trusted-root.json');
const wasm = Buffer.from('\0asm of a test');
let sigstore: MockSigstore;
let dir = '';
let roots: string[] = [];
beforeAll(async () => {
  sigstore = await openMockSigstore();
  dir = mkdtempSync(join(tmpdir(), 'cuervo-proofs-'));
  writeFileSync(join(dir, 'root.json'), sigstore.root);
  roots = [join(dir, 'root.json'), shipped];
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const withBundle = (bundle: unknown, more: Partial<FetchedPlugin> = {}) => ({
  bytes: wasm,
  proofs: [{ proof: { kind: 'sigstore' as const, bundle }, about: 'wasm' as const }],
  ...more,
});

describe('verifyProofs()', () => {
  it('names repository and workflow without the tag', async () => {
    const { identities, broken } = verifyProofs(withBundle(await sigstore.attest(wasm)), roots);
    expect(broken).toEqual([]);
    expect(identities).toEqual([
      {
        text: 'github:acme/csv-kit/.github/workflows/publish.yml',
        kind: 'sigstore',
        issuer: 'https://token.actions.githubusercontent.com',
        repository: 'https://github.com/acme/csv-kit',
        workflow: 'https://github.com/acme/csv-kit/.github/workflows/publish.yml',
        repositoryId: '101',
      },
    ]);
  });

  it('takes npm’s, which is about the tarball', async () => {
    const tarball = Buffer.from('a tarball');
    const bundle = await sigstore.attest(tarball, { algorithm: 'sha512' });
    const proofs = [{ proof: { kind: 'sigstore' as const, bundle }, about: 'carrier' as const }];
    const carrier = { kind: 'npm' as const, bytes: tarball };
    expect(verifyProofs({ bytes: wasm, carrier, proofs }, roots).identities).toHaveLength(1);
    const other = { kind: 'npm' as const, bytes: Buffer.from('another') };
    expect(verifyProofs({ bytes: wasm, carrier: other, proofs }, roots)).toEqual({
      identities: [],
      broken: ['the bundle is of another file'],
    });
  });

  const tampered = async (edit: (bundle: never) => void): Promise<string[]> => {
    const bundle = structuredClone(await sigstore.attest(wasm));
    edit(bundle as never);
    const { identities, broken } = verifyProofs(withBundle(bundle), roots);
    expect(identities).toEqual([]);
    return broken;
  };

  it('refuses a bundle of another file', async () => {
    const { identities, broken } = verifyProofs(
      withBundle(await sigstore.attest(Buffer.from('other'))),
      roots,
    );
    expect([identities, broken]).toEqual([[], ['the bundle is of another file']]);
  });

  it('refuses a changed signature, a changed statement and a log that nobody knows', async () => {
    type Bundle = {
      dsseEnvelope: { payload: string; signatures: { sig: string }[] };
      verificationMaterial: { tlogEntries: { logId: { keyId: string } }[] };
    };
    const signature = await tampered(({ dsseEnvelope }: Bundle) => {
      const [first] = dsseEnvelope.signatures;
      if (first !== undefined) first.sig = first.sig.replace(/^.{12}/, 'MEUCIQAAAAAA');
    });
    const statement = await tampered(({ dsseEnvelope }: Bundle) => {
      const text = Buffer.from(dsseEnvelope.payload, 'base64')
        .toString()
        .replace('plugin', 'plugim');
      dsseEnvelope.payload = Buffer.from(text).toString('base64');
    });
    const log = await tampered(({ verificationMaterial }: Bundle) => {
      const [entry] = verificationMaterial.tlogEntries;
      if (entry !== undefined) entry.logId.keyId = Buffer.alloc(32, 7).toString('base64');
    });
    for (const [why] of [signature, statement, log]) expect(why).toMatch(/does not hold: /);
    expect(log[0]).toContain('the log that should hold it is not known');
  });

  it('refuses a certificate that had expired when it was used', async () => {
    const old = await openMockSigstore(new Date(Date.now() - 3_600_000));
    writeFileSync(join(dir, 'old.json'), old.root);
    const { identities, broken } = verifyProofs(withBundle(await old.attest(wasm)), [
      join(dir, 'old.json'),
    ]);
    expect(identities).toEqual([]);
    expect(broken[0]).toContain('had expired when it was signed');
  });

  it('trusts no root but those it was given', async () => {
    const bundle = await sigstore.attest(wasm);
    expect(verifyProofs(withBundle(bundle), [shipped]).identities).toEqual([]);
    expect(verifyProofs(withBundle(bundle), roots).identities).toHaveLength(1);
  });

  it('verifies a real bundle with the root that ships, and refuses it changed', () => {
    const folder = join(import.meta.dirname, '../../../tests/fixtures/sigstore');
    const bytes = readFileSync(join(folder, 'a.txt'));
    const bundle = JSON.parse(readFileSync(join(folder, 'a.txt.sigstore.json'), 'utf8'));
    const check = (value: unknown, of = bytes) =>
      verifyProofs(withBundle(value, { bytes: of }), [shipped]);
    expect(check(bundle)).toEqual({
      identities: [
        expect.objectContaining({
          text: 'github:sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/extremely-dangerous-oidc-beacon.yml',
        }),
      ],
      broken: [],
    });
    const changed = Buffer.concat([bytes, Buffer.from('!')]);
    expect(check(bundle, changed).identities).toEqual([]);
    const edited = structuredClone(bundle);
    edited.verificationMaterial.tlogEntries[0].integratedTime = '1700000000';
    expect(check(edited).identities).toEqual([]);
  });

  it('takes a signature with a key for the file it is of, and for no other', () => {
    const { key, text } = signDigest(makeSigningKey(), sha256(wasm));
    const { signature } = JSON.parse(text) as { signature: string };
    const proofs = [{ proof: { kind: 'key' as const, key, signature }, about: 'wasm' as const }];
    expect(verifyProofs({ bytes: wasm, proofs }, []).identities).toEqual([
      { text: key, kind: 'key' },
    ]);
    const other = verifyProofs({ bytes: Buffer.from('other'), proofs }, []);
    expect(other.identities).toEqual([]);
    expect(other.broken[0]).toContain('is of another file');
  });
});
