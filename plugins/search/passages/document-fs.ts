import type { PassageFs } from './passage-fs.ts';

/** What people write for people. */
const documents = [
  ...['*.md', '*.mdx', '*.rst', '*.adoc', 'README*', 'CONTRIBUTING*'],
  // Elsewhere a text is data, as often as not.
  ...['docs/**/*.txt', 'doc/**/*.txt', '/*.txt'],
];

/** Only the documents of a tree. */
export function documentFs(files: PassageFs): PassageFs {
  return {
    ...files,
    tally: (root, options) =>
      files.tally(root, { ...options, walk: { ...options.walk, include: documents } }),
    walk: (root, options) => files.walk(root, { ...options, include: documents }),
    scan: (root, options) =>
      files.scan(root, { ...options, walk: { ...options.walk, include: documents } }),
  };
}
