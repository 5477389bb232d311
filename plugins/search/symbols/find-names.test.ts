import { describe, expect, it } from 'vitest';
import { findNames } from './find-names.ts';

/** Lines in memory, matched as `fs.scan` matches: one by one. */
function hostOf(files: Readonly<Record<string, string>>): Parameters<typeof findNames>[0] {
  return {
    scan: (_, options) => {
      const pattern = new RegExp(options.pattern, options.caseInsensitive ? 'ui' : 'u');
      const all = Object.entries(files).flatMap(([path, text]) =>
        text.split('\n').map((line, at) => ({
          ...{ path: `work:${path}`, line: at + 1, column: 1, text: line },
          ...{ before: [], after: [] },
        })),
      );
      const matches = all.filter(({ text }) => pattern.test(text)).slice(0, options.limit);
      return { matches, filesScanned: 1, bytesScanned: 1, truncated: false };
    },
  };
}

const host = hostOf({
  'src/packet.ts': 'export const PACKET_TYPES = {};\nexport enum PacketType {\n  pingInterval: 25,',
  'src/reader.py': 'class TarReader:\n    def read_policies(self):\n        pass',
  'src/shell.rs': 'pub enum Shell {\n    Bash,\nfn bash() {}',
  'tests/fake_clock.py': 'class FakeClock:\n    pass',
});
const find = (text: string) => findNames(host, { text, place: 'work:' });

describe('findNames()', () => {
  it.each([
    ['show the packet types of it', 'show the PacketType of it'],
    ['where is the tar reader class', 'where is the TarReader class'],
    ['who likes policies? read policy says so', 'who likes policies? read_policies says so'],
    ['the TAR-Reader', 'the TarReader'],
    ['which shells are there, and bash?', 'which Shell are there, and bash?'],
  ])('reads "%s" as "%s"', (text, expected) => {
    expect(find(text).text).toBe(expected);
  });

  it('says where a name is defined', () => {
    const [name] = find('packet type').names;
    expect(name).toEqual({
      ...{ written: 'packet type', name: 'PacketType' },
      ...{ path: 'work:src/packet.ts', line: 2 },
    });
  });

  it('takes the nearest word of the workspace for one that stands nowhere', () => {
    const found = find('default ping intervall of class TarRaeder');
    expect(found.spelled).toEqual([
      { written: 'intervall', meant: 'interval' },
      { written: 'raeder', meant: 'reader' },
    ]);
    expect(find('default ping interval of the reader').spelled).toEqual([]);
  });

  it.each(['show packet-types.ts', 'what only tests have: a fake clock', 'packet of types', ''])(
    'leaves "%s" as it is',
    (text) => {
      expect(find(text)).toEqual({ text, names: [], spelled: [] });
    },
  );
});
