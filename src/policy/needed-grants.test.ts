import { expect, it } from 'vitest';
import { neededGrants } from './parse-grant.ts';

it('neededGrants() says the least that the calls needed, and counts what was denied', () => {
  const call = (name: string, target: string, outcome: 'ok' | 'denied' | 'failed' = 'ok') => ({
    ...{ call: name, target, outcome: outcome as never },
  });
  expect(
    neededGrants([
      call('fs.read-text', 'src/a.ts'),
      call('fs.read-text', 'docs:b.md', 'denied'),
      call('fs.scan', ''),
      call('exec.run', 'git log --oneline'),
      call('http.fetch', 'GET https://example.org/x?…'),
      call('kv.get', 'key'),
      call('log.write', ''),
      call('fs.stat', 'gone', 'failed'),
    ]),
  ).toEqual([
    { grant: 'exec:git', calls: 1, denied: 0 },
    { grant: 'fs:docs', calls: 1, denied: 1 },
    { grant: 'fs:work', calls: 2, denied: 0 },
    { grant: 'http:https://example.org', calls: 1, denied: 0 },
    { grant: 'kv', calls: 1, denied: 0 },
  ]);
});
