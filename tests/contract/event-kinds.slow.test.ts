import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

it('a new kind of event has no type until each reader handles it', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-kinds-'));
  try {
    for (const name of ['src', 'tsconfig.json', 'package.json'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const files = [
      'src/journal/event-log.ts',
      'src/journal/record-run.ts',
      'src/cli/event-text.ts',
    ];
    const config = { extends: './tsconfig.json', include: [], files };
    writeFileSync(join(folder, 'tsconfig.kinds.json'), JSON.stringify(config));
    const check = (): string => {
      const tsc = join(root, 'node_modules/.bin/tsc');
      return spawnSync(tsc, ['-p', 'tsconfig.kinds.json'], { cwd: folder, encoding: 'utf8' })
        .stdout;
    };
    const add = (path: string, behind: string, more: string): void => {
      const text = readFileSync(join(folder, path), 'utf8');
      expect(text).toContain(behind);
      writeFileSync(join(folder, path), text.replace(behind, `${behind}\n  ${more},`));
    };
    expect(check()).toBe('');
    const [ofRuns, ofJournal] = ['parse-events.ts', 'parse-journal.ts'].map(
      (name) => `src/contracts/output/${name}`,
    ) as [string, string];
    add(ofJournal, 'export const journalBodies = {', 'later: v.object({ at: count })');
    const later = "later: v.object({ type: v.literal('later'), ts, run })";
    add(ofRuns, 'export const eventSchemas = {', later);
    add(ofRuns, "export const eventSchema = v.variant('type', [", 'eventSchemas.later');
    const broken = new Set(check().match(/^src\/[^(]+(?=\()/gm));
    expect([...broken].toSorted()).toEqual(files.toSorted());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
