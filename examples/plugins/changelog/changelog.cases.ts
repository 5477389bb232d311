import { defineCases } from '@cuervo/sdk/testing';

const commits = [
  { message: 'feat: begin', files: { 'a.txt': '1' }, tag: 'v1.0.0' },
  { message: 'fix(core): count again', files: { 'a.txt': '2' } },
  { message: 'feat!: drop the old format', files: { 'a.txt': '3' } },
  { message: 'Tidy up', files: { 'a.txt': '4' } },
];
const grants = ['exec:git', 'fs:work', 'clock'];

export default defineCases([
  {
    name: 'drafts a section from commits since the tag',
    tool: 'draft',
    input: { version: '1.1.0' },
    commits,
    grants,
    expect: { has: '### Breaking\n\n- drop the old format (' },
  },
  {
    name: 'puts a fix under its heading, with its scope',
    tool: 'draft',
    input: { version: '1.1.0' },
    commits,
    grants,
    expect: { has: '### Fixed\n\n- **core:** count again (' },
  },
  {
    name: 'writes into the changelog',
    tool: 'write',
    input: { version: '1.1.0', since: 'v1.0.0' },
    commits,
    grants: [...grants, 'fs-write:work'],
    expect: { content: { path: 'CHANGELOG.md', commits: 3 } },
  },
  {
    name: 'says where nothing is new',
    tool: 'draft',
    input: { version: '1.1.0' },
    commits: commits.slice(0, 1),
    grants,
    expect: { error: { code: 'not-found', message: 'no commits since v1.0.0' } },
  },
  {
    name: 'is denied without a grant of git',
    tool: 'draft',
    input: { version: '1.1.0' },
    commits,
    grants: ['fs:work', 'clock'],
    expect: { error: 'permission-denied' },
  },
]);
