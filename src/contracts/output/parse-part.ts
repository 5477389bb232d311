import * as v from 'valibot';

const bytes = (text: string) => v.exactOptional(v.pipe(v.number(), v.description(text)));

/** One line of `cuervo add --list --json`, and what `cuervo add PART --json` prints. */
export const listedPartSchema = v.object({
  name: v.picklist(['sentence', 'build', 'gpu', 'musl', 'node']),
  about: v.string(),
  state: v.pipe(
    v.picklist(['added', 'clone', 'other', 'absent', 'refused']),
    v.description(
      'clone: in the node_modules of a clone; other: of another version of cuervo; refused: none for this system',
    ),
  ),
  reason: v.exactOptional(v.pipe(v.string(), v.description('why there is none here'))),
  downloadBytes: bytes('what is fetched'),
  bytes: bytes('what it takes on the disk'),
});
export type ListedPart = v.InferOutput<typeof listedPartSchema>;
