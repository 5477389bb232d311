import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { quoteText } from '../../lib/text/escape.ts';
import { parseAnswer } from '../sources/parse-npm.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const text = v.pipe(v.string(), v.maxLength(300));
const schema = v.object({
  sha: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/))),
  tags: v.optional(v.array(v.string()), []),
  cardData: v.optional(
    v.nullable(
      v.object({
        license: v.optional(v.union([text, v.array(text)])),
        license_name: v.optional(text),
      }),
    ),
  ),
  siblings: v.optional(
    v.array(
      v.object({
        rfilename: v.string(),
        size: v.optional(v.nullable(count)),
        lfs: v.optional(
          v.nullable(
            v.object({
              sha256: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
              size: v.optional(count),
            }),
          ),
        ),
      }),
    ),
    [],
  ),
});

export type HubModel = {
  /** the commit that its revision is now */
  commit: string | undefined;
  /** as its card says it; undefined where it says none */
  licence: string | undefined;
  files: readonly { path: string; bytes: number | undefined; sha256: string | undefined }[];
};

/** @throws {KernelError} `unavailable` for an answer that is not a description of a model */
export function parseHubModel(bytes: Uint8Array, what: string, from: string): HubModel {
  const answer = parseAnswer(bytes, {
    ...{ from, of: ['sha', 'siblings'], kind: 'model' },
    refuse: (why) => noHub(what, why),
  });
  const parsed = v.safeParse(schema, answer, { abortEarly: true });
  if (!parsed.success) {
    const key = v.getDotPath(parsed.issues[0]) ?? '';
    throw noHub(what, `${from} answered with a wrong ${quoteText(key, 80)}`);
  }
  const { sha, tags, cardData, siblings } = parsed.output;
  const said = cardData?.license_name ?? [cardData?.license ?? []].flat().join(', ');
  const tagged = tags.find((tag) => tag.startsWith('license:'))?.slice('license:'.length);
  return {
    commit: sha,
    licence: said === '' ? tagged : said,
    files: siblings.map(({ rfilename, size, lfs }) => ({
      path: rfilename,
      bytes: lfs?.size ?? size ?? undefined,
      sha256: lfs?.sha256,
    })),
  };
}

function noHub(what: string, why: string): KernelError {
  return new KernelError('unavailable', `${what}: ${why}`, {
    hint: 'Check the address of the hub (models.hub, --hub); a proxy or a login page may answer in its place.',
  });
}
