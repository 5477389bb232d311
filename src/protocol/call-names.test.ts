import { expect, it } from 'vitest';
import { outgoingCalls, rehearsedCalls, reportedCalls, servedCalls } from './call-names.ts';

it('a process tells of its own calls that need a grant', () => {
  expect([...reportedCalls].sort()).toEqual([
    ...['clock.now-ms', 'fs.list-dir', 'fs.read-bytes', 'fs.read-many', 'fs.read-text'],
    ...['fs.roots', 'fs.scan', 'fs.stat', 'fs.stat-many', 'fs.tally', 'fs.unsearched', 'fs.walk'],
  ]);
});

it('the kernel serves the others, and the one that our own code makes', () => {
  expect([...servedCalls].sort()).toEqual([
    ...['exec.run', 'fs-write.create-dir', 'fs-write.may-write', 'fs-write.remove'],
    ...['fs-write.rename', 'fs-write.write-bytes', 'fs-write.write-text', 'http.secret-exists'],
    ...['http.send', 'kv.delete', 'kv.get', 'kv.keys', 'kv.set', 'memory.remember'],
    ...['memory.search', 'random.bytes', 'tools.call', 'tools.call-all', 'tools.find'],
  ]);
});

it('programs and requests have a rate', () => {
  expect([...outgoingCalls].sort()).toEqual(['exec.run', 'http.send']);
});

it('a rehearsal makes no call that changes something before a person was asked', () => {
  const kept = servedCalls.filter((call) => !rehearsedCalls.includes(call));
  expect(kept.sort()).toEqual(['kv.delete', 'kv.set', 'memory.remember']);
});
