import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDeadline } from './signals.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('createDeadline() ends after its time', () => {
  const onEnd = vi.fn();
  createDeadline().start(100, onEnd);
  vi.advanceTimersByTime(99);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd).toHaveBeenCalledOnce();
});

it('createDeadline() stands still while the work of pauseWhile() goes on, and then goes on itself', async () => {
  const onEnd = vi.fn();
  const deadline = createDeadline();
  deadline.start(100, onEnd);
  vi.advanceTimersByTime(60);
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const one = deadline.pauseWhile(() => first.promise);
  const other = deadline.pauseWhile(() => second.promise);
  vi.advanceTimersByTime(10_000);
  first.resolve('yes');
  expect(await one).toBe('yes');
  vi.advanceTimersByTime(10_000);
  expect(onEnd).not.toHaveBeenCalled();
  second.reject(new Error('no'));
  await expect(other).rejects.toThrow('no');
  vi.advanceTimersByTime(39);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd).toHaveBeenCalledOnce();
});

it('createDeadline() that was cleared never ends, not even after a pause', async () => {
  const onEnd = vi.fn();
  const deadline = createDeadline();
  deadline.start(100, onEnd);
  const work = Promise.withResolvers<void>();
  const paused = deadline.pauseWhile(() => work.promise);
  deadline.clear();
  work.resolve();
  await paused;
  vi.advanceTimersByTime(1000);
  expect(onEnd).not.toHaveBeenCalled();
});

it('createDeadline() counts the time of each use from its own start', () => {
  const first = vi.fn();
  const second = vi.fn();
  const deadline = createDeadline();
  deadline.start(100, first);
  vi.advanceTimersByTime(60);
  deadline.clear();
  deadline.start(100, second);
  vi.advanceTimersByTime(99);
  expect(second).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(second).toHaveBeenCalledOnce();
  deadline.start(20, second);
  vi.advanceTimersByTime(20);
  expect(second).toHaveBeenCalledTimes(2);
  expect(first).not.toHaveBeenCalled();
});

it('createDeadline() of an earlier use does not move that of a later one', async () => {
  const onEnd = vi.fn();
  const work = Promise.withResolvers<void>();
  const deadline = createDeadline();
  deadline.start(100, () => {});
  const paused = deadline.pauseWhile(() => work.promise);
  deadline.clear();
  deadline.start(100, onEnd);
  vi.advanceTimersByTime(50);
  work.resolve();
  await paused;
  vi.advanceTimersByTime(50);
  expect(onEnd).toHaveBeenCalledOnce();
});
