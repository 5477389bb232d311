import { describe, expect, it } from 'vitest';
import { asksForHelp, isSmallTalk } from './asks-for-help.ts';

describe('asksForHelp()', () => {
  it.each([
    ...['help', 'Help me, please!', 'what can you do?', 'what can I ask you?', 'who are you?'],
    'hi, who are you and what can you do for me?',
    'hello there, what can you help me with?',
    'Hallo, wer bist du und was kannst du?',
    'Bonjour ! Qui es-tu ? Que peux-tu faire ?',
    'Hola, ¿quién eres y qué puedes hacer?',
  ])('is true of "%s"', (text) => {
    expect(asksForHelp(text)).toBe(true);
    expect(isSmallTalk(text)).toBe(false);
  });

  it.each([
    ...['hi', 'Good morning!', 'thank you, you are great!', 'thanks a lot', 'hallo', '¡Hola!'],
  ])('is true of "%s", which asks nothing', (text) => {
    expect(asksForHelp(text)).toBe(true);
    expect(isSmallTalk(text)).toBe(true);
  });

  it.each([
    ...['hi, where is the parser?', 'hello.py', 'hello world', 'thanks, and who calls it?'],
    ...['help text of the ask command', 'what can you configure?', 'who are the authors?'],
    ...['what do you do when a token expires?', 'how do you help with retries in src?', ''],
    ...['hallo, wo ist der Parser?', 'qui es le responsable', 'what is cuervo?', 'hi-res images'],
    `${'hi '.repeat(39)}x`,
  ])('is false of "%s"', (text) => {
    expect(asksForHelp(text)).toBe(false);
  });
});
