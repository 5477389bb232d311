import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { initializeCA, initializeCTLog, initializeTLog } from '@sigstore/mock';

/** A Sigstore of a test: what it signs holds for those who trust its root, and for nobody else. */
export type MockSigstore = {
  /** `trusted_root.json` */
  root: string;
  /** A bundle with a statement about a file, as a workflow of GitHub makes it. */
  attest(artifact: Uint8Array, signer?: Partial<Signer>): Promise<object>;
};

type Signer = {
  /** `acme/csv-kit` */
  repository: string;
  repositoryId: string;
  /** below the repository, with its tag */
  workflow: string;
  /** algorithm of the digest in the statement */
  algorithm: 'sha256' | 'sha512';
  predicateType: string;
};

/** What a log answers, as far as a bundle needs it. */
type LogEntry = {
  body: string;
  integratedTime: number;
  logID: string;
  logIndex: number;
  verification?: {
    signedEntryTimestamp: string;
    inclusionProof?: {
      logIndex: number;
      rootHash: string;
      treeSize: number;
      hashes: string[];
      checkpoint: string;
    };
  };
};

const issuer = 'https://token.actions.githubusercontent.com';
const payloadType = 'application/vnd.in-toto+json';

/** @param certified when certificates are made; the log is always of now */
export async function openMockSigstore(certified?: Date): Promise<MockSigstore> {
  const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const logKeys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ctlog = await initializeCTLog(keys);
  const ca = await initializeCA(keys, ctlog, certified);
  const tlog = await initializeTLog('https://rekor.sigstore.dev', logKeys);
  const keyOf = (bytes: Uint8Array, keyId: Uint8Array) => ({
    baseUrl: 'https://rekor.sigstore.dev',
    hashAlgorithm: 'SHA2_256',
    publicKey: {
      rawBytes: base64(bytes),
      keyDetails: 'PKIX_ECDSA_P256_SHA_256',
      validFor: { start: '2020-01-01T00:00:00Z' },
    },
    logId: { keyId: base64(keyId) },
  });
  const raw = (view: ArrayBufferView): Buffer =>
    Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const root = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [keyOf(tlog.publicKey, createHash('sha256').update(tlog.publicKey).digest())],
    certificateAuthorities: [
      {
        subject: { organization: 'sigstore.mock', commonName: 'sigstore' },
        uri: 'https://fulcio.example.org',
        certChain: { certificates: [{ rawBytes: base64(raw(ca.rootCertificate)) }] },
        validFor: { start: '2020-01-01T00:00:00Z' },
      },
    ],
    ctlogs: [keyOf(ctlog.publicKey, raw(ctlog.logID))],
    timestampAuthorities: [],
  };

  const attest: MockSigstore['attest'] = async (artifact, signer = {}) => {
    const {
      repository = 'acme/csv-kit',
      repositoryId = '101',
      workflow = '.github/workflows/publish.yml@refs/tags/v1.0.0',
      algorithm = 'sha256',
      predicateType = 'https://slsa.dev/provenance/v1',
    } = signer;
    const own = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const certificate = await ca.issueCertificate({
      publicKey: own.publicKey.export({ format: 'der', type: 'spki' }),
      subjectAltName: `https://github.com/${repository}/${workflow}`,
      extensions: [
        { oid: '1.3.6.1.4.1.57264.1.1', value: issuer, legacy: true },
        { oid: '1.3.6.1.4.1.57264.1.8', value: issuer },
        { oid: '1.3.6.1.4.1.57264.1.12', value: `https://github.com/${repository}` },
        { oid: '1.3.6.1.4.1.57264.1.15', value: repositoryId },
      ],
    });
    const digest = createHash(algorithm).update(artifact).digest('hex');
    const payload = Buffer.from(
      JSON.stringify({
        _type: 'https://in-toto.io/Statement/v1',
        subject: [{ name: 'plugin', digest: { [algorithm]: digest } }],
        predicateType,
        predicate: {},
      }),
    );
    const signed = Buffer.concat([
      Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.byteLength} `),
      payload,
    ]);
    const signature = base64(sign('sha256', signed, own.privateKey));
    const logged = await tlog.log({
      apiVersion: '0.0.1',
      kind: 'dsse',
      spec: {
        payloadHash: { algorithm: 'sha256', value: hex(payload) },
        envelopeHash: { algorithm: 'sha256', value: hex(payload) },
        signatures: [{ signature, verifier: '' }],
      },
    });
    const [entry] = Object.values(logged as Readonly<Record<string, LogEntry>>);
    if (entry?.verification?.inclusionProof === undefined) throw new Error('nothing was logged');
    const { inclusionProof: proof, signedEntryTimestamp } = entry.verification;
    return {
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: {
        certificate: { rawBytes: base64(raw(certificate)) },
        tlogEntries: [
          {
            logIndex: String(entry.logIndex),
            logId: { keyId: Buffer.from(entry.logID, 'hex').toString('base64') },
            kindVersion: { kind: 'dsse', version: '0.0.1' },
            integratedTime: String(entry.integratedTime),
            inclusionPromise: { signedEntryTimestamp },
            inclusionProof: {
              logIndex: String(proof.logIndex),
              rootHash: Buffer.from(proof.rootHash, 'hex').toString('base64'),
              treeSize: String(proof.treeSize),
              hashes: proof.hashes.map((each) => Buffer.from(each, 'hex').toString('base64')),
              checkpoint: { envelope: proof.checkpoint },
            },
            canonicalizedBody: entry.body,
          },
        ],
        timestampVerificationData: { rfc3161Timestamps: [] },
      },
      dsseEnvelope: {
        payload: base64(payload),
        payloadType,
        signatures: [{ sig: signature, keyid: '' }],
      },
    };
  };
  return { root: JSON.stringify(root), attest };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
