import { describe, expect, it } from 'vitest';
import { createShown } from './create-shown.ts';

const shown = createShown({
  part: (text) => text.replaceAll('hunter2', '[redacted]'),
  notices: () => [],
});

describe('createShown()', () => {
  it('guards each text, in lists, in objects and in names', () => {
    const value = { text: 'a hunter2', list: [{ hunter2: 'hunter2' }], count: 2, none: null };
    expect(shown(value)).toEqual({
      ...{ text: 'a [redacted]', list: [{ hunter2: '[redacted]' }], count: 2, none: null },
    });
    expect(shown({ 'pass hunter2': 1 })).toEqual({ 'pass [redacted]': 1 });
  });

  it('leaves an id as it is, and only what looks like one', () => {
    expect(shown({ id: '0mx1hunter2', run: 'my hunter2' })).toEqual({
      ...{ id: '0mx1hunter2', run: 'my [redacted]' },
    });
  });

  it('escapes what would change other text, and line ends in names', () => {
    expect(shown({ text: 'a\nb\u001b[1m', path: 'a\nb\u202e' })).toEqual({
      ...{ text: 'a\nb\\x1b[1m', path: 'a\\nb\\u{202e}' },
    });
  });
});
