import { describe, expect, it } from 'vitest';
import { askedFor, tells } from './order-hits.ts';

describe('askedFor()', () => {
  it.each([
    ['When do we ship?', 'time'],
    ['On which weekday do we ship?', 'time'],
    ['Wann ist das Standup?', 'time'],
    ['¿A qué hora es la reunión?', 'time'],
    ['À quelle heure est la réunion ?', 'time'],
    ['Quando corre o backup?', 'time'],
    ['How old is Marta?', 'number'],
    ['What did the printer cost?', 'number'],
    ['Wie viele Gäste kommen?', 'number'],
    ['¿Cuántos invitados vienen?', 'number'],
    ['Who owns the flat?', undefined],
    ['What whenever means', undefined],
  ])('"%s" asks for a %s', (question, wanted) => expect(askedFor(question)).toBe(wanted));
});

describe('tells()', () => {
  it.each([
    ['time', 'Releases happen on Thursdays.', true],
    ['time', 'Der Müll wird am Mittwoch abgeholt', true],
    ['time', 'La reunión es a las diez', true],
    ['time', 'The plumber is called Novak.', false],
    ['number', 'The server room is cooled to 18 degrees.', true],
    ['number', 'Bruno has two cats.', true],
    ['number', 'Releases happen on Thursdays.', false],
  ] as const)('a %s is in "%s": %s', (wanted, text, isThere) => {
    expect(tells(wanted, text)).toBe(isThere);
  });
});
