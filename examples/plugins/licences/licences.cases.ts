import { defineCases } from '@cuervo/sdk/testing';

const manifest = (name: string, license: unknown): string =>
  JSON.stringify({ name, version: '1.0.0', license });
const files = {
  'node_modules/a/package.json': manifest('a', 'MIT'),
  'node_modules/a/node_modules/b/package.json': manifest('b', { type: 'GPL-3.0' }),
  'node_modules/@s/c/package.json': manifest('@s/c', undefined),
  'node_modules/a/lib/package.json': '{"name":"inner"}',
  'node_modules/broken/package.json': '{',
};
const call = { tool: 'list', files, grants: ['fs:work'] };

export default defineCases([
  {
    ...call,
    name: 'groups the packages by licence, nested ones too',
    expect: {
      content: {
        packages: 3,
        licences: [
          { licence: 'GPL-3.0', packages: ['b@1.0.0'] },
          { licence: 'MIT', packages: ['a@1.0.0'] },
          { licence: 'unknown', packages: ['@s/c@1.0.0'] },
        ],
      },
    },
  },
  {
    ...call,
    name: 'keeps those that are asked for',
    input: { only: 'gpl' },
    expect: { content: { packages: 1, licences: [{ licence: 'GPL-3.0', packages: ['b@1.0.0'] }] } },
  },
  { ...call, name: 'says where nothing is installed', files: {}, expect: { error: 'not-found' } },
  {
    ...call,
    name: 'is denied without a grant',
    grants: [],
    expect: { error: 'permission-denied' },
  },
]);
