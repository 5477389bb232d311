import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome } from './open-home.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cuervo-home-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('openHome()', () => {
  it('makes a folder for its owner alone', () => {
    openHome(join(dir, 'home'));
    expect(statSync(join(dir, 'home')).mode & 0o777).toBe(0o700);
  });

  it('refuses one that was made meanwhile and that everybody can write', () => {
    mkdirSync(join(dir, 'home'));
    chmodSync(join(dir, 'home'), 0o777);
    expect(() => openHome(join(dir, 'home'))).toThrow(/is not safe: .* by everybody/);
  });
});
