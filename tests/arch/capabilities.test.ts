import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capabilityNames } from '../../src/contracts/capabilities.ts';
import { missingRegistrations, registrations } from './missing-registrations.ts';

const root = resolve(import.meta.dirname, '../..');
const textOf = (path: string): string | undefined =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;

describe('a capability', () => {
  it('has its WIT, its SDK face and its pages', () => {
    expect(missingRegistrations(textOf)).toEqual([]);
  });

  const planted = capabilityNames.flatMap((name) =>
    registrations.flatMap(({ path, holds, fix }) =>
      holds(name).map((part) => ({ name, path: path(name), part, fix: fix(name) })),
    ),
  );

  it.each(planted)('$name: $path without $part is found', ({ name, path, part, fix }) => {
    const without = (asked: string): string | undefined =>
      asked === path ? textOf(asked)?.replaceAll(part, '') : textOf(asked);
    expect(missingRegistrations(without)).toContain(`${path} misses ${name}: ${fix}`);
  });

  it.each(capabilityNames)('%s: a missing file of the SDK is found', (name) => {
    const path = `sdk/host/${name}.ts`;
    const found = missingRegistrations((asked) => (asked === path ? undefined : textOf(asked)));
    expect(found.some((sentence) => sentence.startsWith(`${path} misses ${name}: `))).toBe(true);
  });
});
