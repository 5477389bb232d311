import * as v from 'valibot';
import { ServiceError } from '../../contracts/host-service.ts';
import { commandLimits } from '../../programs/exec/launch-scripts.ts';

/**
 * The arguments of a host call, which a broken process may have made up.
 *
 * @throws {ServiceError} `invalid`, naming the argument by its position
 */
export function parseArguments<Schema extends v.GenericSchema<unknown, readonly unknown[]>>(
  call: string,
  schema: Schema,
  args: readonly unknown[],
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, args, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new ServiceError(
    'invalid',
    `${call}: argument ${v.getDotPath(issue) ?? '?'} ${issue.message}`,
  );
}

/** Schemas of arguments, so that the interfaces themselves name no library. */
export const argument = {
  text: (maxLength: number) =>
    v.pipe(
      v.string('is not text'),
      v.maxLength(maxLength, `is longer than ${maxLength} characters`),
    ),
  bytes: (maxBytes: number) =>
    v.pipe(
      v.instance(Uint8Array, 'is not a list of bytes'),
      v.check((bytes) => bytes.byteLength <= maxBytes, `has more than ${maxBytes} bytes`),
    ),
  /** SHA-256, hex; absent is `null` in a frame */
  optionalHash: () =>
    v.nullish(
      v.pipe(v.string('is not text'), v.regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in hex')),
    ),
  count: (max: number) =>
    v.pipe(
      v.number('is not a number'),
      v.integer('is not a whole number'),
      v.minValue(0, 'is negative'),
      v.maxValue(max, `is above ${max}`),
    ),
  optional: v.nullish,
  texts: (maxItems: number, maxLength: number) =>
    v.pipe(
      v.array(
        v.pipe(v.string('is not text'), v.maxLength(maxLength, 'is too long')),
        'is not a list',
      ),
      v.maxLength(maxItems, `has more than ${maxItems} items`),
    ),
  pairs: (maxItems: number, maxLength: number) => {
    const text = v.pipe(v.string('is not text'), v.maxLength(maxLength, 'is too long'));
    return v.pipe(
      v.array(v.tuple([text, text], 'is not a pair'), 'is not a list'),
      v.maxLength(maxItems, `has more than ${maxItems} items`),
    );
  },
  calls: (maxItems: number, maxName: number, maxInput: number) => {
    const text = (max: number) => v.pipe(v.string('is not text'), v.maxLength(max, 'is too long'));
    return v.pipe(
      v.array(v.object({ name: text(maxName), input: text(maxInput) }), 'is not a list'),
      v.maxLength(maxItems, `has more than ${maxItems} items`),
    );
  },
  /** absent is `null` in a frame */
  optionalBytes: () => v.nullish(v.instance(Uint8Array, 'is not a list of bytes')),
  record: v.object,
  list: v.tuple,
};

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
