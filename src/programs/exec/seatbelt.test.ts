import { expect, it } from 'vitest';
import { type SeatbeltPlan, seatbeltProfile } from './seatbelt.ts';

const survey = {
  files: ['sub/.env', '.git/config'],
  folders: ['.git/hooks'],
  repositories: ['.git'],
  fixed: ['cuervo.toml'],
  stores: ['.git/objects'],
  storeFiles: ['.git/COMMIT_EDITMSG'],
  held: [],
  obeyed: new Map<string, string>(),
};
const plan: SeatbeltPlan = {
  roots: [{ name: 'work', folder: '/Users/ann/w "x"', survey }],
  readOnly: false,
  writesRepositories: false,
  reads: ['/Users/ann/.nvm/versions/node/v26'],
  scratch: '/private/var/folders/s',
  hidden: ['/Users/ann/.cuervo'],
};
const rules = (text: string): string[] => text.split(/\n(?=\()/);

it('seatbeltProfile() denies first and withholds last, and allows no network', () => {
  const text = seatbeltProfile(plan);
  expect(rules(text).slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  expect(text).not.toContain('network');
  expect(rules(text).at(-1)).toBe(
    '(deny file-read* file-write* process-exec\n  (subpath "/Users/ann/.cuervo"))\n',
  );
  const at = (part: string): number => rules(text).findIndex((each) => each.includes(part));
  expect(at('.env"')).toBeGreaterThan(at('(allow file-write*'));
  expect(at('(deny file-write-setugid)')).toBeGreaterThan(at('(allow file-write*'));
});

it('seatbeltProfile() keeps folders that hold something withheld in their place', () => {
  const unlink = rules(seatbeltProfile(plan)).find((each) => each.includes('file-write-unlink'));
  expect(unlink).toBe(
    [
      '(deny file-write-unlink',
      '  (literal "/Users/ann/w \\"x\\"")',
      '  (literal "/Users/ann/w \\"x\\"/.git")',
      '  (literal "/Users/ann/w \\"x\\"/sub")',
      '  (literal "/Users/ann/w \\"x\\"/.git"))',
    ].join('\n'),
  );
});

it('seatbeltProfile() shows what was named of a folder that is hidden, and nothing else of it', () => {
  const packages = '/Users/ann/.cuervo/servers/files/packages';
  const text = seatbeltProfile({ ...plan, reads: [...plan.reads, packages] });
  expect(rules(text).slice(-2)).toEqual(
    [
      '(deny file-read* file-write* process-exec\n  (subpath "/Users/ann/.cuervo"))',
      `(allow process-exec file-read*\n  (subpath "${packages}"))\n`,
    ].map((rule) => expect.stringContaining(rule.trim())),
  );
});

it('seatbeltProfile() lets a reader write its scratch folder alone', () => {
  const text = seatbeltProfile({ ...plan, readOnly: true });
  expect(text).not.toContain('(allow file-write*');
  expect(text).toContain('(allow process-exec file-read* file-write*\n  (subpath "/private/var');
  expect(seatbeltProfile(plan)).toContain('(allow file-write*\n  (subpath "/Users/ann/w');
});

it('seatbeltProfile() lets git alone read configuration and stores, and no one write the first', () => {
  const closed = (text: string) =>
    rules(text).find((each) => each.startsWith('(deny file-read* file-write* process-exec')) ?? '';
  expect(closed(seatbeltProfile(plan))).toMatch(/config[\s\S]*objects/);
  const git = seatbeltProfile({ ...plan, writesRepositories: true });
  expect(closed(git)).not.toMatch(/config|objects/);
  expect(closed(git)).toMatch(/\.env[\s\S]*hooks/);
  expect(git).toMatch(/\(deny file-write\*[^)]*cuervo\.toml[^(]*\(subpath[^)]*\.git\/config/);
});

it('seatbeltProfile() refuses what cannot stand in it', () => {
  const folder = '/w';
  const odd = { ...survey, files: ['a\n.env'] };
  expect(() =>
    seatbeltProfile({ ...plan, roots: [{ name: 'work', folder, survey: odd }] }),
  ).toThrow('control character');
});
