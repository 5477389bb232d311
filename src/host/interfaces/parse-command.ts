import * as v from 'valibot';
import { ServiceError } from '../../contracts/host-service.ts';
import { commandLimits } from '../../programs/exec/exec-limits.ts';
import { argument } from './parse-arguments.ts';

const count = argument.count(0xffff_ffff);

/** `command` of `wit/host/host.wit`, as the glue passes it on. */
export const commandArgument = v.tuple([
  v.object(
    {
      program: argument.text(commandLimits.programCharacters),
      args: argument.texts(commandLimits.args, commandLimits.argBytes),
      cwd: argument.text(16 * 1024),
      stdin: v.nullish(argument.text(commandLimits.stdinBytes)),
      timeoutMs: count,
      maxOutputBytes: count,
    },
    'is not a command',
  ),
]);

/**
 * Checks a whole argument vector, again after a person edited it.
 *
 * @throws {ServiceError} `invalid`, `limit`
 */
export function checkVector(program: string, args: readonly string[], stdin = ''): void {
  for (const [index, arg] of args.entries()) {
    if (arg.includes('\0')) throw invalid(`argument ${index + 1} of ${program} holds a NUL`);
    if (!arg.isWellFormed()) {
      throw invalid(`argument ${index + 1} of ${program} holds half of a surrogate pair`);
    }
  }
  const bytes = args.reduce((sum, arg) => sum + Buffer.byteLength(arg) + 1, 0);
  if (bytes > commandLimits.argBytes) {
    const text = `the arguments of ${program} have ${bytes} bytes, limit ${commandLimits.argBytes}`;
    throw new ServiceError('limit', text, program);
  }
  if (!stdin.isWellFormed()) throw invalid(`stdin of ${program} holds half of a surrogate pair`);
  if (Buffer.byteLength(stdin) > commandLimits.stdinBytes) {
    const text = `stdin of ${program} is above ${commandLimits.stdinBytes} bytes`;
    throw new ServiceError('limit', text, program);
  }
}

function invalid(text: string): ServiceError {
  return new ServiceError('invalid', text);
}
