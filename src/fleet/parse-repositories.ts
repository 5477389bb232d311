import { resolve, sep } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { realPath } from '../lib/files/paths.ts';
import { isThisMachine } from '../lib/net/addresses.ts';

/** More would not fit into what one person looks at. */
const maxRepositories = 100_000;

/**
 * One folder or git address a line; what begins with `#` is a remark.
 *
 * @param base folder that relative paths start from
 * @throws {KernelError} `invalid-argument` with the number of the line, which is not repeated: it
 *   may hold a password
 */
export function parseRepositories(text: string, base: string): string[] {
  const found = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    const typed = line.trim();
    if (typed === '' || typed.startsWith('#')) continue;
    found.add(parseRepository(typed, base, `line ${index + 1} of the list`));
  }
  const hint = 'Write one folder or git address a line.';
  if (found.size === 0)
    throw new KernelError('invalid-argument', 'the list names no repository', { hint });
  if (found.size > maxRepositories) {
    const message = `the list names ${found.size} repositories, limit ${maxRepositories}`;
    throw new KernelError('invalid-argument', message, { hint: 'Split the list.' });
  }
  return [...found];
}

/** `git@host:path`, as ssh writes it. */
const scpLike = /^(?:[\w.-]+@)?[\w.-]+:(?!\/\/)[^\s:]/;

function parseRepository(typed: string, base: string, place: string): string {
  const refuse = (why: string, hint: string): KernelError =>
    new KernelError('invalid-argument', `${place} ${why}`, { hint });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f]/.test(typed) || typed.startsWith('-') || /^[\w+.-]+::/.test(typed))
    throw refuse(
      'holds a control character, begins with a dash or names a helper of git',
      'Correct it.',
    );
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(typed))
    return scpLike.test(typed) && !typed.startsWith('.') ? typed : resolve(base, typed);
  if (!URL.canParse(typed)) throw refuse('is no address', 'Correct it.');
  const url = new URL(typed);
  if (url.protocol !== 'https:' && url.protocol !== 'ssh:')
    throw refuse('is neither https:// nor ssh://', 'Name a folder, or one of these two.');
  const isNamed = url.protocol === 'https:' && url.username !== '';
  if (url.password !== '' || isNamed || url.search !== '')
    throw refuse(
      'holds a password or a token',
      "Leave it out: a worker uses git's credential helper, or the key of ssh.",
    );
  return url.href.replace(/\/$/, '');
}

/**
 * Where a worker may fetch a repository from, by the person's own configuration.
 *
 * @param repository as a job names it, which anybody who writes to the database can choose
 * @param granted folders and beginnings of addresses
 * @returns the folder with its links resolved, or the address
 * @throws {KernelError} `permission-denied`, or `invalid-argument` for what is no address
 */
export function grantedPlace(repository: string, granted: readonly string[]): string {
  const named = parseRepository(repository, sep, 'the repository of the job: it');
  const isFolder = named.startsWith(sep);
  const place = isFolder ? realPath(named) : named;
  // Steps upwards in an address are the server's to read, also where git or it decodes them.
  const isPlain = isFolder || !/(?:^|[:/])\.\.(?:\/|$)|%(?:2e|2f|5c|25)/i.test(place);
  const covers = (each: string): boolean => {
    if (isFolder !== each.startsWith(sep)) return false;
    const above = (isFolder ? realPath(each) : each).replace(/\/+$/, '');
    return place === above || place.startsWith(above.endsWith(':') ? above : `${above}/`);
  };
  if (isPlain && granted.some(covers)) return place;
  throw new KernelError('permission-denied', `this worker may not fetch ${place}`, {
    hint: 'Name the folder or the address in the config.toml of the worker: [fleet] repositories',
  });
}

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
