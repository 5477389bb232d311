import type { KeyObject } from 'node:crypto';
import { appendFileSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import type { AuditHead } from '../contracts/journal.ts';
import type { Store } from '../contracts/store.ts';
import { makeFolder } from '../lib/files/folders.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { linkBytes } from '../lib/hash-chain.ts';
import { once } from '../lib/memo.ts';

/** Loaded when first needed: lists need none of it. */
const crypto = () => process.getBuiltinModule('node:crypto');

/** What proves the journal, kept apart from the database. Keys are made by their first use. */
export type AuditKeys = {
  /** Of the leaves; undefined where there is none yet. */
  readChainKey(): Uint8Array | undefined;
  chainKey(): Uint8Array;
  /** PEM */
  publicKey(): string;
  sign(text: string): string;
  /** Signs the end of the chain, in the store and in a file beside it. */
  signHead(store: Store, nowMs: number): void;
  /** Lines of that file, oldest first. */
  readHeads(): string;
};

export function openAuditKeys(home: string): AuditKeys {
  const folder = join(home, 'audit');
  const chainPath = join(folder, 'chain.key');
  const headsPath = join(home, 'audit-heads.jsonl');
  const made = <Kind extends string>(path: string, make: () => Kind): string => {
    const there = readTextIfPresent(path);
    if (there !== undefined) return there;
    makeFolder(folder);
    writeNew(path, make());
    return readFileSync(path, 'utf8');
  };
  const readChainKey = (): Buffer | undefined => {
    const text = readTextIfPresent(chainPath);
    return text === undefined ? undefined : toKey(text, chainPath);
  };
  const privateKey = once((): KeyObject => {
    const pem = made(join(folder, 'signing-key.pem'), () =>
      crypto()
        .generateKeyPairSync('ed25519')
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    );
    return crypto().createPrivateKey(pem);
  });
  const signText = (text: string): string =>
    crypto().sign(null, Buffer.from(text), privateKey()).toString('base64');

  return {
    readChainKey,
    chainKey: once(() =>
      toKey(
        made(chainPath, () => crypto().randomBytes(linkBytes).toString('hex')),
        chainPath,
      ),
    ),
    publicKey: () => toPem(crypto().createPublicKey(privateKey())),
    sign: signText,
    signHead: (store, nowMs) => {
      const last = store.lastLink();
      if (last === undefined) return;
      const head = { ...last, ts: nowMs };
      const signed = { ...head, signature: signText(headText(head)) };
      store.addHead(signed);
      appendFileSync(headsPath, `${JSON.stringify(signed)}\n`, { mode: 0o600 });
    },
    readHeads: () => readTextIfPresent(headsPath, maxHeadsBytes) ?? '',
  };
}

/** Many years of runs. */
const maxHeadsBytes = 1024 ** 3;

/** What is signed of a head. */
export function headText({ seq, link, ts }: Omit<AuditHead, 'signature'>): string {
  return `cuervo audit head\n${seq}\n${link}\n${ts}\n`;
}

/** @throws {KernelError} `invalid-argument` for what is no public key */
export function createVerifier(publicKey: string): (text: string, signature: string) => boolean {
  let key: KeyObject;
  try {
    key = crypto().createPublicKey(publicKey);
  } catch (cause) {
    throw new KernelError('invalid-argument', 'the key is no public key in PEM', {
      cause,
      hint: 'Print it where the journal is with: cuervo audit key',
    });
  }
  return (text, signature) => {
    const bytes = Buffer.from(signature, 'base64');
    // Base64 has other spellings of the same bytes.
    return (
      bytes.toString('base64') === signature && crypto().verify(null, Buffer.from(text), key, bytes)
    );
  };
}

function toPem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

function toKey(text: string, path: string): Buffer {
  const key = Buffer.from(text.trim(), 'hex');
  if (key.length === linkBytes) return key;
  throw new KernelError('unavailable', `${path} holds ${key.length} bytes, not ${linkBytes}`, {
    hint: 'Bring it back from a copy: without it the journal cannot be proved.',
  });
}

/** Another process may make the same file at the same time: the first one stays. */
function writeNew(path: string, text: string): void {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, text, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(own, path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  } finally {
    rmSync(own);
  }
}
