import { defineCases } from '@cuervo/sdk/testing';

const files = {
  'data.json': JSON.stringify({ name: 'x', items: [{ id: 1 }, { id: 2, sub: { id: 3 } }] }),
};
const call = { tool: 'query', files, grants: ['fs:work'] };

export default defineCases([
  {
    ...call,
    name: 'finds a field of each item',
    input: { path: 'data.json', query: 'items[*].id' },
    expect: {
      content: {
        found: [
          { at: 'items[0].id', value: 1 },
          { at: 'items[1].id', value: 2 },
        ],
        truncated: false,
      },
      summary: '2 values at items[*].id in data.json',
    },
  },
  {
    ...call,
    name: 'finds a field at any depth',
    input: { path: 'data.json', query: '**.id' },
    expect: { has: { found: [{ at: 'items[1].sub.id', value: 3 }] } },
  },
  {
    ...call,
    name: 'gives nothing for a field that is not there',
    input: { path: 'data.json', query: 'items.nothing' },
    expect: { content: { found: [], truncated: false } },
  },
  {
    ...call,
    name: 'names a file that is not JSON',
    files: { 'data.json': '{"a": [1,' },
    input: { path: 'data.json', query: 'a' },
    expect: { error: { code: 'invalid-argument', message: 'is not JSON' } },
  },
  {
    ...call,
    name: 'is denied without a grant',
    grants: [],
    input: { path: 'data.json', query: 'name' },
    expect: { error: 'permission-denied' },
  },
]);
