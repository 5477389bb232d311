import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from '../../fixtures/tls/make-certificate.ts';

/** Where Debian has the programs of a server, the newest first; undefined where there is none. */
const folder = ((): string | undefined => {
  const all = '/usr/lib/postgresql';
  const versions = existsSync(all) ? readdirSync(all).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(all, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
})();

/** Of a suite that needs a server: skipped by name without one. */
export const withPostgres = folder === undefined ? 'without PostgreSQL' : undefined;

/** The server refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** A server of its own in a temporary folder. The caller owns it. */
export type Postgres = Disposable & {
  port: number;
  /** `postgres://team@127.0.0.1:PORT/fleet` */
  address: string;
  restart(): void;
  /** with a password from now on */
  requirePassword(password: string): void;
};

/** @param certificate of a server that speaks TLS, too */
export async function openPostgres(certificate?: Certificate): Promise<Postgres> {
  const dir = mkdtempSync(join(tmpdir(), 'cuervo-postgres-'));
  chmodSync(dir, 0o700);
  if (user !== undefined) chownSync(dir, user.uid, user.gid);
  const data = join(dir, 'data');
  const port = await freePort();
  const run = (program: string, ...args: string[]): void => {
    const { status, stderr, stdout } = spawnSync(join(folder ?? '', program), args, {
      ...user,
      cwd: dir,
      env: { LC_ALL: 'C.UTF-8', PATH: process.env.PATH ?? '' },
      encoding: 'utf8',
      // The server would keep a pipe open.
      stdio: program === 'pg_ctl' ? 'ignore' : 'pipe',
    });
    if (status !== 0) throw new Error(`${program}: ${stdout}${stderr}`);
  };
  const serve = (verb: string): void =>
    run('pg_ctl', '-D', data, '-l', join(dir, 'log'), '-m', 'fast', '-w', ...optionsOf(verb), verb);
  const optionsOf = (verb: string): string[] =>
    verb === 'stop' ? [] : ['-o', `-p ${port} -k ${dir} -c listen_addresses=127.0.0.1${tls}`];
  const tls = certificate === undefined ? '' : ' -c ssl=on';
  run('initdb', '-D', data, '-U', 'team', '-A', 'trust', '--no-sync');
  for (const [name, text] of Object.entries(certificate ?? {})) {
    const path = join(data, name === 'key' ? 'server.key' : 'server.crt');
    writeFileSync(path, text, { mode: 0o600 });
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  }
  serve('start');
  run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'team', 'fleet');
  return {
    port,
    address: `postgres://team@127.0.0.1:${port}/fleet`,
    restart: () => serve('restart'),
    requirePassword: (password) => {
      const sql = `alter role team password '${password}'`;
      run('psql', '-h', '127.0.0.1', '-p', String(port), '-U', 'team', '-d', 'fleet', '-c', sql);
      const rules = `printf 'host all all 127.0.0.1/32 scram-sha-256\\n' > ${join(data, 'pg_hba.conf')}`;
      spawnSync('/bin/sh', ['-c', rules], { ...user });
      serve('restart');
    },
    [Symbol.dispose]: () => {
      serve('stop');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
