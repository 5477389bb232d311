import * as v from 'valibot';

const statement = v.object({
  _type: v.pipe(v.string(), v.startsWith('https://in-toto.io/Statement/')),
  subject: v.pipe(
    v.array(v.object({ digest: v.record(v.string(), v.string()) })),
    v.minLength(1),
    v.maxLength(1_000),
  ),
});

/** @returns the digests of what a statement is about; undefined for what is not a statement */
export function parseStatement(
  bytes: Uint8Array,
): readonly Readonly<Record<string, string>>[] | undefined {
  try {
    const parsed = v.safeParse(statement, JSON.parse(Buffer.from(bytes).toString('utf8')), {
      abortEarly: true,
    });
    return parsed.success ? parsed.output.subject.map(({ digest }) => digest) : undefined;
  } catch {
    return undefined;
  }
}
