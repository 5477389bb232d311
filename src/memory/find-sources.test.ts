import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { KernelError } from '../contracts/error.ts';
import { findSources } from './file-documents.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-sources-')));
mkdirSync(join(work, 'docs'));
symlinkSync('docs', join(work, 'linked'));
afterAll(() => rmSync(work, { recursive: true }));

const files = ['docs/a.md', 'docs/deep/b.md', 'docsite.md', 'notes'];
const known = {
  named: new Set([...files, 'ledger']),
  read: new Set(files),
  forgotten: new Set(['old.md', 'docs']),
};
const find = (typed: string) => findSources(typed, work, known);

describe('findSources()', () => {
  it.each([
    'docs/a.md',
    './docs/a.md',
    'docs//a.md',
    'docs/deep/../a.md',
    'work:docs/a.md',
    join(work, 'docs/a.md'),
  ])('knows %s as a file', (typed) => {
    expect(find(typed)).toEqual(['docs/a.md']);
  });

  it.each(['docs', 'docs/', './docs', join(work, 'docs'), 'linked'])(
    'takes all below %s',
    (typed) => {
      expect(find(typed)).toEqual(['docs/a.md', 'docs/deep/b.md']);
    },
  );

  it('takes a plugin by its name alone, and all that was read by the workspace itself', () => {
    expect(find('ledger')).toEqual(['ledger']);
    expect(find('.')).toEqual(files.toSorted());
  });

  it.each([
    ['nosuch', 'came from "nosuch"', 'See what rows came from: cuervo memory list'],
    ['old.md', 'it was forgotten already', 'cuervo memory list'],
    ['docs/a.md:1-3', 'came from "docs/a.md:1-3"', 'Near it: docs/a.md;'],
    ['other/b.md', 'came from', 'Near it: docs/deep/b.md;'],
    ['..', 'came from', 'cuervo memory list'],
  ])('says of %s that nothing came from it', (typed, message, hint) => {
    expect(() => find(typed)).toThrow(message);
    try {
      find(typed);
    } catch (thrown) {
      expect(KernelError.from(thrown, 'internal').code).toBe('not-found');
      expect(KernelError.from(thrown, 'internal').hint).toContain(hint);
    }
  });

  it.each(['', ' '])('refuses "%s"', (typed) => {
    expect(() => find(typed)).toThrow('the source to forget is empty');
  });
});
