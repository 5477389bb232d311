import { describe, expect, it } from 'vitest';
import { mapText, type WorkspaceMap } from './parse-map.ts';

const part = (path: string, bytes: number): WorkspaceMap['parts'][number] => ({
  ...{ path, files: 2, bytes, uses: [{ path: 'lib', imports: 3 }], usedBy: 1 },
});
const map: WorkspaceMap = {
  files: 6,
  bytes: 6000,
  parts: [part('app', 3000), part('lib', 2000), part('tools', 1000)],
  entries: [{ path: 'app/main.ts', why: 'bin app' }],
};

describe('mapText()', () => {
  it('says parts, what each uses, and where it begins', () => {
    expect(mapText(map).split('\n')).toEqual([
      '6 files of code, 6 kB, in 3 parts',
      expect.stringMatching(/^ {2}app +2 files +3 kB {2}uses lib; used by 1$/),
      expect.stringMatching(/^ {2}lib /),
      expect.stringMatching(/^ {2}tools /),
      'begins at',
      '  app/main.ts  (bin app)',
    ]);
  });

  it('leaves out the smallest parts where it must be short, and counts them', () => {
    const short = mapText(map, 200);
    expect(short).not.toContain('tools');
    expect(short).toContain('and 1 smaller part');
    expect(short.length).toBeLessThanOrEqual(200);
  });
});
