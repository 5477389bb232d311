import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withCoreName, withImport, withTool } from './guests/code-names/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});
/** Would write a file if any of it were ever run as code, wherever that is. */
const code = "require('fs').writeFileSync('planted','')";
const planted = () =>
  [place.dir, place.work, '/', process.cwd()].some((dir) => existsSync(join(dir, 'planted')));

escapeCase('names that would be code', {
  denied: [
    [
      'an import whose name closes a string and a call is refused with exit 6',
      async () => {
        for (const name of [
          "url=<https://x.y/');process.exit(0);//>",
          `url=<https://x.y/*/${code}/*>`,
          'unlocked-dep=<a:b@{>=1.0.0}>',
          `url=<https://x.y/>,integrity=<sha256-${'A'.repeat(43)}=>`,
        ]) {
          await expectRefused(
            place,
            await withImport(name),
            /which is no plain|malformed|cannot be transpiled/,
          );
        }
        expect(planted()).toBe(false);
      },
    ],
    [
      'nor does a name of a core module close one, or become what an object inherits from',
      async () => {
        for (const name of [
          `a'];process.exit(0);['`,
          `a'+process.exit(0)+'`,
          `a': ${code}, 'b`,
          "a\\'];//",
          'a\\',
          '__proto__',
        ]) {
          await expectRefused(
            place,
            await withCoreName(name),
            /would be code|cannot be transpiled|holds the unprintable/,
          );
        }
        expect(planted()).toBe(false);
      },
    ],
    [
      'a tool with such a name, or one of the engine, is refused with exit 6',
      async () => {
        for (const name of [
          `');${code};//`,
          '__proto__',
          'a.b',
          '../../x',
          'A',
          '',
          'x'.repeat(200),
          'a\nb',
        ]) {
          await expectRefused(place, await withTool(name), /describe|tool/);
        }
        expect(planted()).toBe(false);
      },
    ],
  ],
  control: [
    'a tool called `constructor` is a tool like any other, and most marks are parts of a core name',
    async () => {
      await place.install(await withCoreName('a */ [b](c) {d} //'));
      await place.install(await withTool('constructor'));
      expect(expectSuccess(await place.run('code-names.constructor', {}))).toBe(1);
      const ran = await installAndGo(place, await withTool('go'), 'code-names');
      expect(expectSuccess(ran)).toBe(1);
    },
  ],
});
