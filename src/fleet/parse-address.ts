import { KernelError } from '../contracts/error.ts';
import { isThisMachine } from '../lib/net/addresses.ts';

/** Where the database is, without the password. */
export type DatabaseAddress = {
  host: string;
  port: number;
  user: string;
  database: string;
  /** on this machine, where no wire is to be protected */
  isLocal: boolean;
};

const hint = 'Write it into your config.toml: [fleet] database = "postgres://USER@HOST:5432/NAME"';

/**
 * Messages never repeat the text: a person may have put a password into it.
 *
 * @throws {KernelError} `invalid-argument`
 */
export function parseAddress(text: string): DatabaseAddress {
  const refuse = (why: string): KernelError =>
    new KernelError('invalid-argument', `fleet.database ${why}`, { hint });
  if (!URL.canParse(text)) throw refuse('is not an address');
  const url = new URL(text);
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    throw refuse('does not begin with postgres://');
  if (url.password !== '')
    throw new KernelError('invalid-argument', 'fleet.database holds a password', {
      hint: 'Take it out of config.toml and keep it with: cuervo fleet login',
    });
  if (url.search !== '' || url.hash !== '') throw refuse('has settings behind the name');
  const database = decodeURIComponent(url.pathname.slice(1));
  if (url.username === '' || url.hostname === '' || database === '' || database.includes('/'))
    throw refuse('names no user, no host or no database');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    user: decodeURIComponent(url.username),
    database,
    isLocal: isThisMachine(host),
  };
}
