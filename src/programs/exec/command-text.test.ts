import { expect, it } from 'vitest';
import { commandText } from './command-text.ts';

it('commandText() quotes what a line would blur, and cuts', () => {
  expect(commandText(['git', 'log', '--oneline', '-n=3'])).toBe('git log --oneline -n=3');
  expect(commandText(['printf', 'a b', '', '$(x)', '\u001b[2J'])).toBe(
    'printf "a b" "" "$(x)" "\\u001b[2J"',
  );
  expect(commandText(['x', 'y'.repeat(5000)])).toHaveLength(401);
});
