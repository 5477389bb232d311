import { describe, expect, it } from 'vitest';
import { addSection } from '../../../sdk/build/add-section.ts';
import { sourceMapSection } from '../../../sdk/build/source-map-section.ts';
import { sourceMapStack } from './call-failure.ts';

const component = Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0);

/** Line 1 is line 1 of the library, 2 line 5 of the plugin, 3 line 1 of the SDK. */
const map = {
  version: 3,
  sources: ['node_modules/a/index.js', 'plugin.ts', 'sdk/guest/serve-tools.ts'],
  names: [],
  mappings: 'AAAA;ACIA;ACJA',
};
const mapped = addSection(component, ...sourceMapSection(map));

describe('sourceMapStack()', () => {
  it('names where the error comes from and the line of the author that led there', () => {
    const told = sourceMapStack('no [bundle 1:1 2:1 3:1]', () => mapped);
    expect(told).toBe('no (at node_modules/a/index.js:1, called at plugin.ts:5)');
    expect(sourceMapStack('no [bundle 2:1 3:1]', () => mapped)).toBe('no (at plugin.ts:5)');
  });

  it.each([
    ['a release, without a map', component],
    ['a binary that is gone', undefined],
    ['no binary at all', Uint8Array.of(1, 2, 3)],
    ['a map that is none', addSection(component, 'cuervo:source-map', Uint8Array.of(1, 2, 3))],
    [
      'a map of another form',
      addSection(component, ...sourceMapSection({ version: 3, sources: 5 })),
    ],
  ])('leaves the places out for %s', (_, bytes) => {
    expect(sourceMapStack('no [bundle 2:1]', () => bytes)).toBe('no');
  });

  it('reads the binary for no message without places', () => {
    const never = (): never => {
      throw new Error('it was read');
    };
    expect(sourceMapStack('no [bundle of hay]', never)).toBe('no [bundle of hay]');
  });

  it('shows names of a stranger without what a terminal would obey', () => {
    const bad = { ...map, sources: ['a', 'plug\u001b[31min.ts', 'c'] };
    const told = sourceMapStack('no [bundle 2:1]', () =>
      addSection(component, ...sourceMapSection(bad)),
    );
    expect(told).toBe('no (at plug\\u{1b}[31min.ts:5)');
  });
});
