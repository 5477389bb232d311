import { describe, expect, it } from 'vitest';
import { logOutput } from './log-output.ts';

const logged = (text: string): string[] => {
  const lines: string[] = [];
  logOutput((level, line) => lines.push(`${level} ${line}`), 'info', Buffer.from(text));
  return lines;
};

describe('logOutput()', () => {
  it('gives line by line what was written, and nothing for nothing', () => {
    expect(logged('one\r\n\ntwo\n')).toEqual(['info one', 'info ', 'info two']);
    expect(logged('\n')).toEqual([]);
  });

  it('says how many lines it left out, before the limit of the log is reached', () => {
    const lines = logged('a finding\n'.repeat(5000));
    expect(lines.at(-1)).toBe(`info … ${5000 - lines.length + 1} more lines are left out`);
    expect(lines.join('').length).toBeLessThan(65_536 / 2);
  });
});
