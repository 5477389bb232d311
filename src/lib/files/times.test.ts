import { lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { setTimes } from './times.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-times-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  0n,
  1n,
  999_999_999n,
  1_700_000_000_000_000_000n,
  1_700_000_000_999_999_999n,
  1_764_366_000_123_456_789n,
  4_000_000_000_123_456_789n,
])('setTimes() sets %d ns at most half a microsecond early, and never late', (ns) => {
  const [file, link] = [join(folder, 'file'), join(folder, `link ${ns}`)];
  writeFileSync(file, '');
  symlinkSync('file', link);
  for (const path of [file, link]) {
    setTimes(path, ns);
    const { mtimeNs, atimeNs } = lstatSync(path, { bigint: true });
    expect(ns - mtimeNs).toBeGreaterThanOrEqual(0n);
    expect(ns - mtimeNs).toBeLessThanOrEqual(500n);
    expect(atimeNs).toBe(mtimeNs);
  }
});
