import * as v from 'valibot';

const manifest = v.object({
  repository: v.optional(v.union([v.string(), v.object({ url: v.string() })])),
});

/** `repository` of a package.json; undefined where there is none or nobody can read it. */
export function parseRepository(bytes: Uint8Array): string | undefined {
  try {
    const parsed = v.safeParse(manifest, JSON.parse(Buffer.from(bytes).toString('utf8')), {
      abortEarly: true,
    });
    const found = parsed.success ? parsed.output.repository : undefined;
    return typeof found === 'string' ? found : found?.url;
  } catch {
    return undefined;
  }
}
