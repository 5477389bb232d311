import { describe, expect, it, vi } from 'vitest';
import { keptFromBytes, maxDroppedBytes } from './launch-scripts.ts';
import { commandText, createOutputCollector, createOutputTeller } from './program-output.ts';

it('commandText() quotes what a line would blur, and cuts', () => {
  expect(commandText(['git', 'log', '--oneline', '-n=3'])).toBe('git log --oneline -n=3');
  expect(commandText(['printf', 'a b', '', '$(x)', '\u001b[2J'])).toBe(
    'printf "a b" "" "$(x)" "\\u001b[2J"',
  );
  expect(commandText(['x', 'y'.repeat(5000)])).toHaveLength(401);
});

describe('createOutputCollector()', () => {
  it('keeps both outputs up to one limit', () => {
    const output = createOutputCollector(5, () => {});
    output.take('stderr', Buffer.from('abc'));
    output.take('stdout', Buffer.from('def'));
    expect(output.end()).toEqual({ stdout: 'de', stderr: 'abc', truncated: true });
  });

  it('replaces what is not UTF-8, and cuts no character in two', () => {
    const whole = createOutputCollector(10, () => {});
    for (const chunk of [[0xc3], [0xbc, 0xff]]) whole.take('stdout', Buffer.from(chunk));
    expect(whole.end()).toMatchObject({ stdout: 'ü\ufffd', truncated: false });
    const cut = createOutputCollector(2, () => {});
    cut.take('stdout', Buffer.from('aü'));
    expect(cut.end()).toMatchObject({ stdout: 'a', truncated: true });
  });

  it('passes on all of a long output, and nothing of a short one', () => {
    const passed: string[] = [];
    const sink = { write: (stream: string, chunk: Uint8Array) => passed.push(stream + chunk) };
    const short = createOutputCollector(5, () => {}, sink);
    short.take('stdout', Buffer.from('abcde'));
    expect(passed).toEqual([]);
    const cut = createOutputCollector(5, () => {}, sink);
    for (const text of ['abc', 'def', 'ghi']) cut.take('stdout', Buffer.from(text));
    expect(passed.join('')).toBe('stdoutabcstdoutdefstdoutghi');
    expect(cut.end()).toMatchObject({ stdout: 'abcde', truncated: true });
    passed.length = 0;
    const long = createOutputCollector(keptFromBytes * 2, () => {}, sink);
    long.take('stderr', Buffer.alloc(keptFromBytes));
    expect(passed).toEqual([]);
    long.take('stdout', Buffer.from('x'));
    expect(passed.map((text) => text.length - 'stdout'.length)).toEqual([keptFromBytes, 1]);
    expect(long.end()).toMatchObject({ truncated: false });
  });

  it('says once that too much was dropped', () => {
    let floods = 0;
    const output = createOutputCollector(0, () => (floods += 1));
    const chunk = Buffer.alloc(maxDroppedBytes);
    output.take('stdout', chunk);
    expect(floods).toBe(0);
    for (let time = 0; time < 3; time += 1) output.take('stdout', chunk);
    expect(floods).toBe(1);
  });
});

it('createOutputTeller() tells the last line of a chunk, bounded, and not too often', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const told: string[] = [];
    const take = createOutputTeller((line) => told.push(line));
    take(Buffer.from('one\ntwo\r\n\n'));
    take(Buffer.from('too soon\n'));
    vi.advanceTimersByTime(100);
    take(Buffer.from(' \n'));
    take(Buffer.from(`three\n${'x'.repeat(5000)}`));
    expect(told).toEqual(['two', 'x'.repeat(160)]);
  } finally {
    vi.useRealTimers();
  }
});
