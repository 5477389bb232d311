import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSettings } from '../../../tests/support/open-settings.ts';
import { sha256 } from '../../lib/sha256.ts';
import { digestOfFile, knownDigest } from './gguf-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-digests-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('digestOfFile()', () => {
  it('reads a file once, and again when it changed', async () => {
    const path = join(folder, 'm.gguf');
    const settings = openSettings();
    writeFileSync(path, 'one');
    expect(await digestOfFile(path, settings)).toBe(sha256('one'));
    expect(knownDigest(path, settings)).toBe(sha256('one'));
    const [key = ''] = settings.kept.keys();
    settings.kept.set(key, { ...settings.kept.get(key), digest: 'from before' });
    expect(await digestOfFile(path, settings)).toBe('from before');
    writeFileSync(path, 'two');
    expect(knownDigest(path, settings)).toBeUndefined();
    expect(await digestOfFile(path, settings)).toBe(sha256('two'));
  });

  it('notices a change that leaves size and time as they were', async () => {
    const path = join(folder, 'n.gguf');
    const settings = openSettings();
    writeFileSync(path, 'one');
    utimesSync(path, 1, 1);
    await digestOfFile(path, settings);
    writeFileSync(path, 'two');
    utimesSync(path, 1, 1);
    expect(await digestOfFile(path, settings)).toBe(sha256('two'));
  });

  it('is over all parts of a model that was split', async () => {
    const [one, two] = ['s-00001-of-00002.gguf', 's-00002-of-00002.gguf'];
    writeFileSync(join(folder, one), 'one');
    writeFileSync(join(folder, two), 'two');
    const settings = openSettings();
    const first = await digestOfFile(join(folder, one), settings);
    expect(first).toBe(sha256(`${sha256('one')}\n${sha256('two')}`));
    writeFileSync(join(folder, two), 'three');
    expect(await digestOfFile(join(folder, one), settings)).not.toBe(first);
  });
});
