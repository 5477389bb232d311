import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeHeldFolder, processHolder } from './lock-file.ts';

let parent = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'cuervo-held-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const nameOf = (holder: string): string =>
  `kind-${Buffer.from(holder).toString('base64url')}-abcdef`;

/** A number that no process has. */
const [, start, space] = processHolder().split(' ');
const gone = nameOf(`4194304 ${start} ${space}`);

it('makeHeldFolder() removes what processes left that are gone, and nothing else', () => {
  const kept = [
    nameOf(processHolder()),
    nameOf(`4194304 ${start} pid:[1]@elsewhere`),
    'kind-of-another-hand',
    'other',
  ];
  for (const name of [gone, ...kept]) mkdirSync(join(parent, name));
  const made = makeHeldFolder(parent, 'kind');
  expect(readdirSync(parent).toSorted()).toEqual([...kept, basename(made)].toSorted());
});
