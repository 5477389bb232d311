import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commitQuestions } from './commit-questions.ts';

it('commitQuestions() asks by subjects in the tree before, and leaves out chores and tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commit-questions-'));
  try {
    const repo = join(folder, 'repo');
    mkdirSync(join(repo, 'tests'), { recursive: true });
    const who = [
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.org',
      '-c',
      'commit.gpgsign=false',
    ];
    const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...who, ...args]);
    const commit = (path: string, text: string, subject: string) => {
      writeFileSync(join(repo, path), text);
      git('add', '-A');
      git('commit', '-qm', subject);
    };
    git('init', '-q');
    commit('lamp.py', 'dark', 'Begin with a dark lamp');
    commit('lamp.py', 'lit', 'fix: keep the lamp lit (#12)');
    commit('tests/lamp.py', 'x', 'Test that the lamp is lit');
    commit('lamp.py', 'bright', 'chore: make the lamp bright');
    const [asked, ...others] = commitQuestions(repo, 5, join(folder, 'trees'));
    expect(others).toEqual([]);
    expect(asked).toMatchObject({ question: 'fix: keep the lamp lit', files: ['lamp.py'] });
    expect(readFileSync(join(asked?.repo ?? '', 'lamp.py'), 'utf8')).toBe('dark');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
