import { describe, expect, it } from 'vitest';
import { isThisMachine } from './addresses.ts';

describe('isThisMachine()', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])(
    'knows %s',
    (host) => {
      expect(isThisMachine(host)).toBe(true);
    },
  );

  it.each([
    ...['127.example.org', '127.0.0.1.example.org', 'localhost.example.org', 'a.localhost'],
    ...['0.0.0.0', '10.0.0.1', '[::2]', '::ffff:127.0.0.1', '127.0.0.256', '', 'localhost.'],
  ])('does not take %j for it', (host) => {
    expect(isThisMachine(host)).toBe(false);
  });
});
