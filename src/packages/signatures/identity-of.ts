import type { PluginIdentity } from '../../contracts/plugins.ts';

/** Extensions of Fulcio's certificates: https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md */
const fulcio = '1.3.6.1.4.1.57264.1.';
const oids = { issuer: '8', repository: '12', repositoryId: '15' } as const;

const githubIssuer = 'https://token.actions.githubusercontent.com';

type Certified = {
  subjectAlternativeName?: string;
  extensions?: { issuer?: string };
  oids?: readonly { oid?: { id: readonly number[] } | undefined; value: Uint8Array }[];
};

/** @returns undefined for a certificate without an identity */
export function identityOf({
  subjectAlternativeName: subject,
  extensions,
  oids: values = [],
}: Certified): PluginIdentity | undefined {
  const read = (name: keyof typeof oids): string | undefined => {
    const found = values.find(({ oid }) => oid?.id.join('.') === `${fulcio}${oids[name]}`);
    return found === undefined ? undefined : textOf(found.value);
  };
  const issuer = read('issuer') ?? extensions?.issuer;
  if (subject === undefined || subject === '' || issuer === undefined) return undefined;
  const repository = read('repository');
  const repositoryId = read('repositoryId');
  // Leave out the branch or tag, which differs from release to release.
  const workflow = subject.replace(/@refs\/[^@]*$/, '');
  const isBuild = workflow !== subject || repository !== undefined;
  return {
    text: textFor(issuer, workflow, repository),
    kind: 'sigstore',
    issuer: visible(issuer),
    ...(repository === undefined ? {} : { repository: visible(repository) }),
    ...(isBuild ? { workflow: visible(workflow) } : {}),
    ...(repositoryId === undefined ? {} : { repositoryId: visible(repositoryId) }),
  };
}

/** If the repository called another one's workflow, that workflow follows after a `+`. */
function textFor(issuer: string, workflow: string, repository: string | undefined): string {
  const github = 'https://github.com/';
  const isGithub = issuer === githubIssuer && workflow.startsWith(github);
  if (!isGithub) return `${visible(issuer)}#${visible(workflow)}`;
  const path = workflow.slice(github.length);
  const from = repository?.startsWith(github) ? repository.slice(github.length) : undefined;
  if (from === undefined || path.startsWith(`${from}/`)) return `github:${visible(path)}`;
  return `github:${visible(from)}+${visible(path)}`;
}

/** Look-alike letters and what nobody sees show as what they are. */
function visible(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(character.isWellFormed() ? character : '\ufffd'),
  );
}

/** The newer extensions are DER strings: a tag, a length, the text. */
function textOf(value: Uint8Array): string {
  const bytes = Buffer.from(value);
  const [tag, length = 0] = bytes;
  if (tag !== 0x0c) return bytes.toString('utf8');
  const skipped = length < 0x80 ? 2 : 2 + (length & 0x7f);
  return bytes.subarray(skipped).toString('utf8');
}
