import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openKernel } from '../../src/kernel.ts';
import { openPlace } from '../support/place.ts';

const { signal } = new AbortController();

it('a workspace that was moved has its undo and memory, and a person reads where it was', async () => {
  using place = openPlace({ 'a.txt': 'old\n' });
  const { home } = place;
  const first = await openKernel({ home, workspace: place.work, allow: ['fs-write:work'] });
  for await (const _ of first.run('file.write', { path: 'a.txt', text: 'new\n' }));
  for await (const _ of first.ask('remember that releases happen on Thursdays'));
  await (await first.memory()).flush({ signal });
  await first[Symbol.asyncDispose]();

  const moved = join(place.dir, 'moved');
  renameSync(place.work, moved);
  const notes: string[] = [];
  await using kernel = await openKernel({
    ...{ home, workspace: moved, model: 'none', onWarning: (text) => notes.push(text) },
  });
  const [plan] = await kernel.undo.planLast(1);
  await kernel.undo.undo(plan?.run.run ?? '');
  expect(readFileSync(join(moved, 'a.txt'), 'utf8')).toBe('old\n');
  expect(notes).toContain(`this workspace was ${place.work}; its undo and memory are here now`);
  let answer = '';
  for await (const event of kernel.ask('when do releases happen?'))
    if (event.type === 'answer') answer = event.text;
  expect(answer).toContain('releases happen on Thursdays');
});
