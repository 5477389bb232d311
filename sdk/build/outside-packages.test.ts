import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { outsidePackages } from './outside-packages.ts';

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-outside-')));
afterAll(() => rmSync(dir, { recursive: true }));

it('lets the SDK take the plugin, also where a link leads to the SDK, and no package', () => {
  const sdk = join(dir, 'node_modules/cuervo/sdk');
  const other = join(dir, 'node_modules/one');
  for (const folder of [sdk, other]) mkdirSync(folder, { recursive: true });
  for (const file of [join(sdk, 'a.ts'), join(other, 'a.ts'), join(dir, 'plugin.ts')])
    writeFileSync(file, '');
  symlinkSync(sdk, join(dir, 'link'));
  const taking = (importer: string) => ({
    inputs: { [importer]: { imports: [{ path: 'plugin.ts', kind: 'import-statement' }] } },
  });
  const by = { folder: dir, sdkFolder: join(dir, 'link') };
  const found = (importer: string) => outsidePackages(taking(importer) as never, by);
  expect(found(join(sdk, 'a.ts'))).toBeUndefined();
  expect(found(join(other, 'a.ts'))).toMatch(/^the package one takes plugin\.ts/);
});
