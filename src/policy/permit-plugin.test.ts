import { describe, expect, it } from 'vitest';
import { permitPlugin } from './decide.ts';
import { parseGrant } from './parse-grant.ts';

const stranger = { plugin: 'writer', builtin: false };
const permit = (wants: readonly string[], grants: readonly string[], holder = stranger) =>
  permitPlugin({ ...holder, wants }, grants.map(parseGrant), { denied: [] });

describe('permitPlugin()', () => {
  it('lets a root be written that was granted for writing, and read no other', () => {
    const { denied, roots, writeRoots } = permit(['fs', 'fs-write'], ['fs-write:work']);
    expect({ roots, writeRoots }).toEqual({ roots: [], writeRoots: ['work'] });
    expect(denied.fs?.reason).toBe('writer was not granted fs');
    expect(denied['fs-write']).toBeUndefined();
  });

  it('takes leave to read for no leave to write, and suggests the grant', () => {
    const { denied, roots, writeRoots } = permit(['fs', 'fs-write'], ['fs:work', 'fs-write:docs']);
    expect({ roots, writeRoots }).toEqual({ roots: ['work'], writeRoots: ['docs'] });
    expect(denied.fs).toBeUndefined();
    const without = permit(['fs', 'fs-write'], ['fs:work']);
    expect(without.writeRoots).toEqual([]);
    // Each single write may be asked about.
    expect(without.denied['fs-write']).toBeUndefined();
    expect(without.asked).toEqual(['fs-write']);
    expect(permit(['fs'], []).denied.fs?.hint).toContain('--allow fs:work');
  });

  it('lets nothing be written that the plugin does not want', () => {
    const { denied, writeRoots } = permit(['fs'], ['fs:work', 'fs-write:work']);
    expect(writeRoots).toEqual([]);
    expect(denied['fs-write']?.reason).toBe('writer does not want fs-write');
  });

  it('lets no built-in plugin write by itself', () => {
    const builtin = { plugin: 'file', builtin: true };
    expect(permit(['fs', 'fs-write'], [], builtin)).toMatchObject({
      roots: ['work'],
      writeRoots: [],
    });
    expect(permit(['fs', 'fs-write'], ['fs-write:work'], builtin).writeRoots).toEqual(['work']);
  });
});
