/** It stays before a name with a colon, which would be taken for another root without it. */
export const ownRoot = /^work:(?![^/]*:)/;

/** Text that nobody wrote by hand, below any root; it need not be counted. */
export const neverCounted = [
  'node_modules/',
  'bower_components/',
  '__pycache__/',
  '*.min.js',
  '*.min.css',
  '*.map',
  '*.lock',
  '*.svg',
  '*.snap',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'go.sum',
] as const; // prettier-ignore
