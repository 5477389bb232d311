import { describe, expect, it } from 'vitest';
import { commandFor } from './orders.ts';

describe('commandFor()', () => {
  it.each([
    ['run the tests', 'cuervo run shell.run-tests'],
    ['Please run all tests.', 'cuervo run shell.run-tests'],
    ['commit my changes', 'cuervo run git.commit message=…'],
    ['replace mean with average', 'cuervo run file.edit path=… old=mean new=average'],
    ['replace a with b in src/x.py', 'cuervo run file.edit path=src/x.py old=a new=b'],
    ['rename a.txt to b.txt', 'cuervo run file.move from=a.txt to=b.txt'],
    ['delete src/old.ts', 'cuervo run file.delete path=src/old.ts'],
    ['delete the dist folder', 'cuervo run file.delete path=dist'],
    ['can you push it', 'cuervo run git.push'],
  ])('has the command for "%s"', (text, command) => {
    expect(commandFor(text)).toBe(command);
  });

  it.each([
    'how do I run the tests?',
    'run only one test',
    'what does replace do?',
    'Delete action on rollover: if both glob and regex are given',
  ])('has none for "%s"', (text) => {
    expect(commandFor(text)).toBeUndefined();
  });
});
