import { expect, it } from 'vitest';
import { createEventQueue } from './turns.ts';

async function readAll<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const read: Value[] = [];
  for await (const value of values) read.push(value);
  return read;
}

it('createEventQueue() hands on what came before and after its reader, in order', async () => {
  const queue = createEventQueue<number>();
  queue.push(1);
  queue.push(2);
  const read = readAll(queue.values());
  await Promise.resolve();
  queue.push(3);
  queue.push(4);
  queue.close();
  queue.push(5);
  expect(await read).toEqual([1, 2, 3, 4]);
});

it('createEventQueue() tells a reader that waits why it ended, and one that comes later', async () => {
  const waited = createEventQueue<number>();
  const values = waited.values();
  const answer = values.next();
  waited.fail(new Error('broken'));
  await expect(answer).rejects.toThrow('broken');
  expect(await values.next()).toEqual({ done: true, value: undefined });

  const late = createEventQueue<number>();
  late.push(1);
  late.fail(new Error('broken'));
  late.close();
  const others = late.values();
  expect(await others.next()).toEqual({ done: false, value: 1 });
  await expect(others.next()).rejects.toThrow('broken');
  expect(await others.next()).toEqual({ done: true, value: undefined });
});
