import { KernelError } from '../contracts/error.ts';

/**
 * The id of a run, which becomes part of a path and of a branch's name. Whoever can write to the
 * database can put any text there.
 *
 * @throws {KernelError} `conflict` for what is no id
 */
export function runId(value: unknown): string {
  const id = String(value ?? '');
  if (/^[\w-]{1,64}$/.test(id)) return id;
  throw new KernelError('conflict', 'the database has a run with an invalid id', {
    hint: 'Ask who can write to this database.',
  });
}
