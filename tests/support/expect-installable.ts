import { expect } from 'vitest';
import type { Place } from './place.ts';

/** A plugin that was built can be installed, and imports only what it wants. */
export async function expectInstallable(place: Place, name: string, file: string): Promise<void> {
  const ran = await place.cuervo(['plugin', 'inspect', file, '--json']);
  expect(ran.code).toBe(0);
  const report = (ran.rows[0] ?? {}) as Readonly<Record<string, unknown>>;
  expect(report).toMatchObject({ name, kind: 'plugin', verdict: 'installable', reasons: [] });
  const wanted = (report.capabilities as { capability: string }[]).map((one) => one.capability);
  const imported = (report.imports as string[])
    .map((text) => /^cuervo:host\/([a-z-]+)@/.exec(text)?.[1])
    .filter((interfaceName) => interfaceName !== 'types');
  expect(imported.toSorted()).toEqual(wanted.toSorted());
}
