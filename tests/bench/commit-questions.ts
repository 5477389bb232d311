import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AskQuestion } from './ask-questions.ts';

const source = /\.(?:py|[cm]?[jt]sx?|go|rs|rb|java|kt|c|cc|cpp|cs|php|swift)$/;
const aside =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|examples?|playground|docs?|benchmarks?|bench|dist)\/|(?:\.(?:test|spec|bench|d)\.|test_|_test\.)/;
const chore =
  /^(?:chore|docs?|ci|release|build|style|tests?|refactor|bump|v?\d|merge|revert|wip|lint|format|typo)\b/i;
/** Files that a commit changes at most, and sources among them. */
const maxFiles = 12;
const maxSources = 2;
const leastWords = 4;

type Commit = { id: string; subject: string; files: string[] };

/**
 * Subjects of commits as questions in the tree before each; the answer is what the commit changed.
 * The same ones each time, spread over the history.
 *
 * @param into folder for the trees
 */
export function commitQuestions(repo: string, count: number, into: string): AskQuestion[] {
  const commits = commitsOf(repo);
  const step = Math.max(1, commits.length / count);
  const chosen = commits.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  return chosen.slice(0, count).map(({ id, subject, files }) => {
    return { repo: treeAt(repo, `${id}^`, join(into, id)), question: subject, files };
  });
}

function commitsOf(repo: string): Commit[] {
  const format = '--format=%x01%H%x02%s';
  const log = git(repo, ['log', '--no-merges', format, '--name-status', '--no-renames']);
  return log
    .toString()
    .split('\u0001')
    .slice(1)
    .flatMap((entry) => {
      const [head = '', ...rest] = entry.split('\n');
      const [id = '', title = ''] = head.split('\u0002');
      const changes = rest.filter((line) => line !== '').map((line) => line.split('\t'));
      const own = changes.filter(([, path = '']) => source.test(path) && !aside.test(path));
      const subject = title.replace(/\s*\(#\d+\)/g, '').trim();
      const isPlain = own.every(([kind]) => kind === 'M') && changes.length <= maxFiles;
      const says = subject.split(/\s+/).length >= leastWords && !chore.test(subject);
      const isMeant = own.length > 0 && own.length <= maxSources && isPlain && says;
      return isMeant ? [{ id, subject, files: own.map(([, path = '']) => path) }] : [];
    });
}

function treeAt(repo: string, commit: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const archive = git(repo, ['archive', commit]);
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  return folder;
}

function git(repo: string, args: readonly string[]): Buffer {
  return execFileSync('git', ['-C', repo, ...args], { maxBuffer: 2 ** 30 });
}
