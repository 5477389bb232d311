import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/fleet/open-database.ts';
import { parseAddress } from '../../src/fleet/parse-repositories.ts';
import { makeCertificate } from '../fixtures/tls/make-certificate.ts';
import { openPostgres, withPostgres } from './support/postgres.ts';

describe.skipIf(withPostgres !== undefined)('a database elsewhere', { timeout: 120_000 }, () => {
  it('is spoken to by TLS with a certificate that fleet.ca vouches for, and not otherwise', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cuervo-tls-'));
    const certificate = makeCertificate(['127.0.0.1']);
    const [good, other] = [join(dir, 'good.pem'), join(dir, 'other.pem')];
    writeFileSync(good, certificate.cert);
    writeFileSync(other, makeCertificate(['127.0.0.1']).cert);
    const encrypted = async (address: string, ca: string | undefined): Promise<unknown> => {
      await using database = await openDatabase({
        // As an address of another machine is read.
        address: { ...parseAddress(address), isLocal: false },
        ...{ password: async () => 'none', ca, connections: 1, patienceMs: 0, statementMs: 60_000 },
        signal: new AbortController().signal,
      });
      const [row] = await database.sql('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
      return row?.ssl;
    };
    using server = await openPostgres(certificate);
    expect(await encrypted(server.address, good)).toBe(true);
    for (const ca of [other, undefined])
      await expect(encrypted(server.address, ca)).rejects.toThrow(/self-signed certificate/);
    using plain = await openPostgres();
    await expect(encrypted(plain.address, good)).rejects.toThrow(/does not support SSL/);
    rmSync(dir, { recursive: true });
  });
});
