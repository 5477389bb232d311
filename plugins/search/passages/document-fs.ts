import type { PassageFs } from './passage-fs.ts';

/** Documents: text for people. */
const documents = [
  ...['*.md', '*.mdx', '*.rst', '*.adoc', 'README*', 'CONTRIBUTING*'],
  // Elsewhere a text is data, as often as not.
  ...['docs/**/*.txt', 'doc/**/*.txt', '/*.txt'],
];

/** `.github` is the hidden folder with documents for people; it also has forms that they fill in. */
const notForReaders = [
  ...['.[!g]*', '.g[!i]*', '.gi[!t]*', '.git[!h]*'],
  ...['ISSUE_TEMPLATE*', 'PULL_REQUEST_TEMPLATE*', 'issue_template*', 'pull_request_template*'],
];

/** Only the documents of a tree. */
export function documentFs(files: PassageFs): PassageFs {
  const ofDocuments = <Walk extends { exclude?: string[] }>(walk: Walk | undefined) => ({
    ...walk,
    include: documents,
    exclude: [...(walk?.exclude ?? []), ...notForReaders],
    hidden: true,
  });
  return {
    ...files,
    tally: (root, options) => files.tally(root, { ...options, walk: ofDocuments(options.walk) }),
    walk: (root, options) => files.walk(root, ofDocuments(options)),
    scan: (root, options) => files.scan(root, { ...options, walk: ofDocuments(options.walk) }),
  };
}
