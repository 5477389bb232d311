import type { PassageFs } from './passage-fs.ts';

/** What people write for people. */
const documents = ['*.md', '*.mdx', '*.rst', '*.adoc', '*.txt', 'README*', 'CONTRIBUTING*'];

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
