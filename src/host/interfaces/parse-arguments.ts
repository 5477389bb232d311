import * as v from 'valibot';
import { ServiceError } from '../../contracts/host-service.ts';

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
  const parsed = v.safeParse(schema, args);
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
      v.string('is no text'),
      v.maxLength(maxLength, `is longer than ${maxLength} characters`),
    ),
  bytes: (maxBytes: number) =>
    v.pipe(
      v.instance(Uint8Array, 'is no list of bytes'),
      v.check((bytes) => bytes.byteLength <= maxBytes, `has more than ${maxBytes} bytes`),
    ),
  /** SHA-256, hex; absent is `null` in a frame */
  optionalHash: () =>
    v.nullish(v.pipe(v.string('is no text'), v.regex(/^[0-9a-f]{64}$/, 'is no SHA-256 in hex'))),
  count: (max: number) =>
    v.pipe(
      v.number('is no number'),
      v.integer('is no whole number'),
      v.minValue(0, 'is negative'),
      v.maxValue(max, `is above ${max}`),
    ),
  texts: (maxItems: number, maxLength: number) =>
    v.pipe(
      v.array(v.pipe(v.string('is no text'), v.maxLength(maxLength, 'is too long')), 'is no list'),
      v.maxLength(maxItems, `has more than ${maxItems} items`),
    ),
  pairs: (maxItems: number, maxLength: number) => {
    const text = v.pipe(v.string('is no text'), v.maxLength(maxLength, 'is too long'));
    return v.pipe(
      v.array(v.tuple([text, text], 'is no pair'), 'is no list'),
      v.maxLength(maxItems, `has more than ${maxItems} items`),
    );
  },
  /** absent is `null` in a frame */
  optionalBytes: () => v.nullish(v.instance(Uint8Array, 'is no list of bytes')),
  record: v.object,
  list: v.tuple,
};
