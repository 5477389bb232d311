import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addWipeMark, dropWipeMark, readWipeMarks } from './table-place.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuervo-marks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const marks = () => Object.fromEntries(readWipeMarks(folder) ?? []);

describe('readWipeMarks()', () => {
  it('has no counts for a folder that nobody counted', () => {
    expect(readWipeMarks(folder)).toBeUndefined();
    addWipeMark(folder, 'assets', 'removed');
    expect(readWipeMarks(folder)).toBeUndefined();
  });

  it('takes every layer for forgotten when the file is damaged', () => {
    writeFileSync(join(folder, 'removed.json'), 'null');
    const all = { interact: 'forgotten', insights: 'forgotten', assets: 'forgotten' };
    expect(marks()).toEqual(all);
    writeFileSync(join(folder, 'removed.json'), '{"assets":');
    expect(marks()).toEqual(all);
  });
});

describe('addWipeMark() and dropWipeMark()', () => {
  it('keep what a person wanted gone until it is, whatever sweeps remove meanwhile', () => {
    for (const layer of ['interact', 'insights', 'assets'] as const) dropWipeMark(folder, layer);
    expect(marks()).toEqual({});
    addWipeMark(folder, 'assets', 'removed');
    expect(marks()).toEqual({ assets: 'removed' });
    addWipeMark(folder, 'assets', 'forgotten');
    addWipeMark(folder, 'assets', 'removed');
    addWipeMark(folder, 'interact', 'removed');
    expect(marks()).toEqual({ assets: 'forgotten', interact: 'removed' });
    dropWipeMark(folder, 'assets');
    expect(marks()).toEqual({ interact: 'removed' });
  });

  it('assumes that other layers of an uncounted folder hold such bytes', () => {
    addWipeMark(folder, 'insights', 'forgotten');
    expect(marks()).toEqual({ interact: 'removed', insights: 'forgotten', assets: 'removed' });
  });
});
