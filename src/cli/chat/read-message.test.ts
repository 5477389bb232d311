import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openKeyboard } from './keyboard.ts';
import { createMessageReader } from './read-message.ts';

function openReader() {
  const terminal = Object.assign(new PassThrough(), { setRawMode: () => terminal });
  const screen = new PassThrough().resume();
  const keyboard = openKeyboard(
    terminal as unknown as NodeJS.ReadStream,
    screen as unknown as NodeJS.WriteStream,
  );
  const reader = createMessageReader({
    keyboard,
    screen: screen as unknown as NodeJS.WriteStream,
    earlier: [],
    complete: async () => [],
  });
  return { terminal, keyboard, read: reader.read };
}

describe('createMessageReader()', () => {
  it('keeps the messages behind the one that it gives when all come at once', async () => {
    const { terminal, keyboard, read } = openReader();
    using _keyboard = keyboard;
    terminal.write('one\rtwo \\\rgoes on\r\r\rthr');
    expect(await read()).toBe('one');
    expect(await read()).toBe('two \ngoes on');
    const third = read();
    terminal.write('ee\rfour\r');
    expect(await third).toBe('three');
    expect(await read()).toBe('four');
  });

  it('keeps what is typed during an answer, and drops it for Ctrl+C', async () => {
    const { terminal, keyboard, read } = openReader();
    using _keyboard = keyboard;
    terminal.write('one\rtwo\r');
    expect(await read()).toBe('one');
    let interrupts = 0;
    {
      using _keys = keyboard.answer(() => (interrupts += 1));
      terminal.write('three\r');
      await new Promise(setImmediate);
    }
    expect(await read()).toBe('two');
    expect(await read()).toBe('three');
    terminal.write('four\rfive\r');
    expect(await read()).toBe('four');
    {
      using _keys = keyboard.answer(() => (interrupts += 1));
      terminal.write('\u0003');
      await new Promise(setImmediate);
    }
    expect(interrupts).toBe(1);
    terminal.write('six\r');
    expect(await read()).toBe('six');
  });
});
