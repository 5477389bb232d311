import { describe, expect, it } from 'vitest';
import * as paths from './paths.ts';

describe('paths', () => {
  it.each([
    [undefined, 'work:'],
    ['', 'work:'],
    ['.', 'work:'],
    ['./', 'work:'],
    [' src/ ', 'src'],
    ['././src/a.ts', 'src/a.ts'],
    ['work:src', 'work:src'],
    ['notes:a.md', 'notes:a.md'],
    ['.env', '.env'],
    ['./note: a.md', 'work:note: a.md'],
    ['./d:x/a.md', 'work:d:x/a.md'],
    ['./src/d:x', 'src/d:x'],
  ])('host() of %j is %j', (written, place) => {
    expect(paths.host(written)).toBe(place);
  });

  it.each([
    ['work:', '.'],
    ['work:src/a.ts', 'src/a.ts'],
    ['notes:a.md', 'notes:a.md'],
    ['src/a.ts', 'src/a.ts'],
    ['work:d:x/a.md', 'work:d:x/a.md'],
    ['work:note: a.md', 'work:note: a.md'],
    ['work:src/d:x', 'src/d:x'],
  ])('shown() of %j is %j', (place, written) => {
    expect(paths.shown(place)).toBe(written);
  });
});
