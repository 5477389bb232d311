import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { openPlace, type Place } from '../support/place.ts';

const hasSandbox = process.platform !== 'linux' || existsSync('/usr/bin/bwrap');
const hasPython = existsSync('/usr/bin/python3');

const files = {
  'tests/__init__.py': '',
  'tests/test_sum.py': `import unittest

class Sum(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(1 + 1, 2)

    def test_fails(self):
        self.assertEqual(1, 2)
`,
};
const command = 'python3 -B -m unittest discover';

async function run(place: Place, tool: string, input: JsonObject, ...flags: string[]) {
  const ran = await place.cuervo(['run', tool, JSON.stringify(input), '--json', ...flags]);
  const result = ran.lines.find(({ type }) => type === 'result') as { content: string } | undefined;
  const error = ran.lines.find(({ type }) => type === 'error') as { message: string } | undefined;
  return {
    code: ran.code,
    message: error?.message,
    content: result === undefined ? undefined : JSON.parse(result.content),
  };
}

describe('shell.run-tests', () => {
  it('says which command it would run, and runs nothing', async () => {
    using place = openPlace(files);
    const told = await run(place, 'shell.run-tests', { dry: true });
    expect(told).toMatchObject({ code: 0, content: { runner: 'pytest', command, folder: '.' } });
    const none = await run(place, 'shell.run-tests', { dry: true, runner: 'go' });
    expect(none).toMatchObject({ code: 2, message: expect.stringContaining('what go needs') });
  });
});

describe.skipIf(!hasSandbox || !hasPython)(
  'shell.run-tests with a runner (needs: sudo apt-get install bubblewrap python3)',
  () => {
    it('is denied like any program, and gives failures where it is granted', async () => {
      using place = openPlace(files);
      const denied = await run(place, 'shell.run-tests', {});
      expect(denied).toMatchObject({ code: 3, message: expect.stringContaining('"python3"') });
      const ran = await run(place, 'shell.run-tests', {}, '--allow', 'exec:python3');
      expect(ran.content).toMatchObject({
        ...{ command, passed: false, exitCode: 1 },
        counts: { passed: 1, failed: 1, skipped: 0 },
        failures: [{ path: 'tests/test_sum.py', line: 8, message: 'AssertionError: 1 != 2' }],
      });
      const narrow = { filter: 'test_adds' };
      const passed = await run(place, 'shell.run-tests', narrow, '--allow', 'exec:python3');
      expect(passed.content).toMatchObject({ passed: true, counts: { passed: 1, failed: 0 } });
    });

    it('passes nothing where no test ran', async () => {
      using place = openPlace({ 'setup.py': '', 'shop.py': '' });
      const ran = await run(place, 'shell.run-tests', {}, '--allow', 'exec:python3');
      const none = { passed: 0, failed: 0, skipped: 0 };
      expect(ran.content).toMatchObject({ passed: false, counts: none });
    });

    it('keeps a long output of a line whole, to be read afterwards', async () => {
      using place = openPlace({ 'long.txt': `${'x'.repeat(99)}\n`.repeat(2000) });
      const { content } = await run(place, 'shell.run', { command: 'cat -n long.txt' });
      expect(content.stdout.length).toBeLessThan(70_000);
      expect(content.stdout).toContain('lines are left out');
      const part = await run(place, 'shell.output', { id: content.kept, start: 1000, end: 1001 });
      expect(part.content.lines.split('\n').map((line: string) => line.slice(0, 17))).toEqual([
        '1000:   1000\txxxx',
        '1001:   1001\txxxx',
      ]);
      const held = await run(place, 'shell.output', { id: content.kept, holds: '  1234\t' });
      expect(held.content.lines).toMatch(/^1234: /);
      const none = await run(place, 'shell.output', { id: '0123456789abcdef' });
      expect(none).toMatchObject({ code: 4 });
    });
  },
);
