import { stringify } from 'smol-toml';
import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { parseToml } from '../../policy/parse-toml.ts';

/** The accepted publisher of a plugin, and the owner of its data. */
export type Publisher = {
  plugin: string;
  /** the text of an identity, or `nobody` for unsigned plugins */
  identity: string;
  /** of the repository, where the identity tells it */
  repositoryId?: string;
  /** the source without its version */
  source: string;
  /** name under which `kv` and memory keep what it wrote */
  data: string;
  /** digests of unsigned binaries that a person took as one plugin */
  digests: readonly string[];
  /** true: other publishers of this plugin are refused */
  pinned: boolean;
};

export type PublishersFile = { publishers: readonly Publisher[]; keys: readonly string[] };

const word = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, 'is not one word of printable letters'));
const schema = v.strictObject({
  publisher: v.exactOptional(
    v.array(
      v.strictObject({
        plugin: v.pipe(
          v.string(),
          v.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'is no name of a plugin'),
        ),
        identity: word,
        'repository-id': v.exactOptional(word),
        source: v.pipe(v.string(), v.minLength(1)),
        data: word,
        digests: v.exactOptional(
          v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'is no SHA-256'))),
        ),
        pinned: v.boolean(),
      }),
    ),
  ),
  keys: v.exactOptional(
    v.array(v.pipe(v.string(), v.regex(/^ed25519:[A-Za-z0-9_-]{43}$/, 'is no key'))),
  ),
});

/** @throws {KernelError} `invalid-argument` naming the line or the field: who vouches is not guessed */
export function parsePublishers(text: string, path: string): PublishersFile {
  const refuse = (what: string): KernelError =>
    new KernelError('invalid-argument', `${path} ${what}`, { hint: `Correct ${path}.` });
  const parsed = v.safeParse(schema, parseToml(text, refuse), { abortEarly: true });
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw refuse(`has a wrong "${v.getDotPath(issue) ?? '(all)'}": ${issue.message}`);
  }
  const { publisher = [], keys = [] } = parsed.output;
  const publishers = publisher.map(({ 'repository-id': repositoryId, digests = [], ...rest }) => ({
    ...rest,
    digests,
    ...(repositoryId === undefined ? {} : { repositoryId }),
  }));
  return { publishers, keys };
}

const head = `# Who vouches for each plugin, as you accepted it. Change it with: cuervo plugin trust
# "data" names what kv and memory keep for it.

`;

export function formatPublishers({ publishers, keys }: PublishersFile): string {
  const publisher = publishers.map(({ repositoryId, digests, ...rest }) => ({
    ...rest,
    ...(repositoryId === undefined ? {} : { 'repository-id': repositoryId }),
    ...(digests.length === 0 ? {} : { digests: [...digests] }),
  }));
  return head + stringify({ ...(keys.length === 0 ? {} : { keys: [...keys] }), publisher });
}
