import { describe, expect, it } from 'vitest';
import type { AskIntent } from '../contracts/intent.ts';
import type { Meant } from '../contracts/questions.ts';
import { misspelledOnly, readAgain } from './read-again.ts';
import { readIntent } from './read-intent.ts';

const nothing: Omit<Meant, 'text'> = { names: [], spelled: [] };
const again = (question: string, meant: Meant) =>
  readAgain(readIntent(question, []) as AskIntent, meant, (text) => readIntent(text, []))
    ?.readings[0];
const named = (written: string, name: string, text: string): Meant => ({
  ...{ ...nothing, text },
  names: [{ written, name }],
});

describe('readAgain()', () => {
  it('reads a question of the kind that it is with the names in their places', () => {
    expect(
      again(
        'show me the cursor page class',
        named('cursor page', 'CursorPage', 'show me the CursorPage class'),
      ),
    ).toMatchObject({ kind: 'definition', name: 'CursorPage' });
  });

  it('defines the name that nearly all words of a question are', () => {
    const meant = named('packet types', 'PacketType', 'PacketType of the protocol');
    expect(again('packet types of the protocol', meant)).toMatchObject({
      ...{ kind: 'definition', name: 'PacketType', isWord: true },
    });
  });

  it('takes no name for an answer where it is asked where something is done to it', () => {
    const text = 'where is the MemoryBuffer grown?';
    expect(
      again('where is the memory buffer grown?', named('memory buffer', 'MemoryBuffer', text)),
    ).toBeUndefined();
    // the same name, where that is all
    const whole = named('memory buffer', 'MemoryBuffer', 'where is the MemoryBuffer?');
    expect(again('where is the memory buffer?', whole)).toMatchObject({ kind: 'definition' });
  });

  it('takes two plain words that join to a name for one only where they are all it is about', () => {
    const [written, name] = ['send file', 'send_file'];
    const long = 'how does the server look for send_file of itself?';
    const text = long.replace(name, written);
    expect(again(text, named(written, name, long))).toBeUndefined();
    expect(
      again('how does send file work?', named(written, name, 'how does send_file work?')),
    ).toMatchObject({ kind: 'definition', name });
  });

  it('corrects no word that is well spelled', () => {
    const spelled = [
      { written: 'decided', meant: 'decoded' },
      { written: 'folders', meant: 'holders' },
      { written: 'bodi', meant: 'body' },
    ];
    const text = 'where is the body of holders decoded?';
    expect(misspelledOnly({ text, names: [], spelled })).toEqual({
      ...{ text: 'where is the body of folders decided?', names: [] },
      spelled: [{ written: 'bodi', meant: 'body' }],
    });
  });

  it.each([
    ['what is a release plan?', 'what is a ReleasePlan?', 'definition'],
    [
      'difference of a note to a release plan',
      'difference of a note to a ReleasePlan',
      'comparison',
    ],
  ])('reads "%s" as "%s"', (question, text, kind) => {
    expect(again(question, named('release plan', 'ReleasePlan', text))?.kind).toBe(kind);
  });

  it('leaves the value of a setting to its own search, whatever name has its words', () => {
    const question = 'what is the default port?';
    const meant = named('default port', 'DEFAULT_PORTS', 'what is the DEFAULT_PORTS?');
    expect(again(question, meant)).toBeUndefined();
    // the same name, where no value is asked for
    const other = named('default port', 'DEFAULT_PORTS', 'show me the DEFAULT_PORTS list');
    expect(again('show me the default port list', other)).toMatchObject({ kind: 'definition' });
  });

  it('takes a word alone for a name where it is asked which there are', () => {
    const question = 'which shells are supported?';
    const meant = named('shells', 'Shell', 'which Shell are supported?');
    expect(again(question, meant)).toMatchObject({ kind: 'definition', name: 'Shell' });
    const variable = named('output shells', 'outputShells', 'which outputShells are supported?');
    expect(again('which output shells are supported?', variable)).toBeUndefined();
    const other = named('shell', 'Shell', 'where is the Shell started?');
    expect(again('where is the shell started?', other)).toBeUndefined();
  });

  it.each([
    ['why are packet types sent twice?', 'why are PacketType sent twice?'],
    [
      'packet types of the old protocol with fewer flags',
      'PacketType of the old protocol with fewer flags',
    ],
  ])('leaves a question about more than a name: %s', (question, text) => {
    expect(again(question, named('packet types', 'PacketType', text))).toBeUndefined();
  });

  it('reads a misspelled question as one that is not', () => {
    const spelled = [{ written: 'intervall', meant: 'interval' }];
    const meant = { names: [], spelled, text: 'default ping interval' };
    expect(again('defualt ping intervall', meant)).toEqual({ kind: 'value', of: 'ping interval' });
  });

  it('has nothing to say of words that mean no more', () => {
    expect(again('how does it work?', { ...nothing, text: 'how does it work?' })).toBeUndefined();
  });
});
