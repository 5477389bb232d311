import { defineTool, ToolError, v } from '@cuervo/sdk';
import { counted } from './counted.ts';
import { parseNumstat } from './parse-numstat.ts';
import { pathArguments, runGit } from './run-git.ts';

const paths = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1, 'is empty'))),
  v.minLength(1, 'is empty'),
  v.maxLength(500),
  v.description('files or folders, relative to the workspace'),
);

export const stage = defineTool({
  name: 'stage',
  description:
    'Adds changes of files to the index (git add), for the next commit; removed files, too.',
  effect: 'external',
  input: v.object({ paths }),
  examples: [{ paths: ['src/index.ts'] }],
  run: (input) => {
    runGit(['add', '--all', ...pathArguments(input.paths)]);
    return countsOf(staged(), 'staged');
  },
});

export const unstage = defineTool({
  name: 'unstage',
  description:
    'Takes changes out of the index (git reset); the files stay as they are. To throw changes away use restore.',
  effect: 'external',
  input: v.object({ paths }),
  examples: [{ paths: ['src/index.ts'] }],
  run: (input) => {
    // Before the first commit there is nothing to restore the index from.
    const isFresh = runGit(['rev-parse', '--verify', '--quiet', 'HEAD'], { allowed: [1] });
    const args =
      isFresh.stdout.trim() === '' ? ['rm', '--cached', '-r', '--quiet'] : ['restore', '--staged'];
    runGit([...args, ...pathArguments(input.paths)]);
    return countsOf(staged(), 'still staged');
  },
});

export const commit = defineTool({
  name: 'commit',
  description:
    'Commits what is staged with a message. Stage files with stage first; nothing is added by itself. Runs no hook of the repository.',
  effect: 'external',
  input: v.object({
    message: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, 'is empty'),
      v.description('a subject line, then a blank line and the body'),
    ),
  }),
  examples: [{ message: 'Raise the retry limit' }],
  run: (input) => {
    const files = staged();
    if (files.length === 0) throw new ToolError('conflict', 'nothing is staged; stage files first');
    runGit(['commit', '--quiet', '--cleanup=whitespace', '--file=-'], { stdin: input.message });
    const hash = runGit(['rev-parse', 'HEAD']).stdout.trim();
    const subject = input.message.split('\n', 1)[0] ?? '';
    return {
      content: { hash, subject, files },
      summary: `${hash.slice(0, 10)} ${subject}: ${counted(files.length, 'file')}`,
    };
  },
});

export const restore = defineTool({
  name: 'restore',
  description:
    'Throws changes of files away: puts them back as they are in the index, or in the last commit when staged is said. To keep the changes use stash.',
  effect: 'external',
  input: v.object({
    paths,
    staged: v.optional(
      v.pipe(v.boolean(), v.description('as in the last commit, the index as well')),
    ),
  }),
  examples: [{ paths: ['src/index.ts'] }],
  run: (input) => {
    const from = input.staged ? ['--source=HEAD', '--staged', '--worktree'] : ['--worktree'];
    runGit(['restore', ...from, ...pathArguments(input.paths)]);
    return {
      content: { paths: input.paths },
      summary: `${counted(input.paths.length, 'path')} restored`,
    };
  },
});

export const stash = defineTool({
  name: 'stash',
  description:
    'Puts changes aside and takes them out again: push, list, pop the newest or show what it holds.',
  effect: 'external',
  input: v.object({
    action: v.pipe(v.picklist(['push', 'list', 'pop', 'show']), v.description('what to do')),
    message: v.optional(v.pipe(v.string(), v.description('of a push'))),
  }),
  examples: [{ action: 'list' }, { action: 'push', message: 'half of the parser' }],
  run: ({ action, message }) => {
    if (action === 'list') {
      const rows = runGit(['stash', 'list', '--format=%gd%x1f%aI%x1f%gs']).stdout.split('\n');
      const stashes = rows.filter(Boolean).map((row) => {
        const [name = '', date = '', subject = ''] = row.split('\u001f');
        return { name, date, subject };
      });
      return {
        content: { stashes },
        summary: `${stashes.length} ${stashes.length === 1 ? 'stash' : 'stashes'}`,
      };
    }
    if (action === 'show') {
      const files = parseNumstat(runGit(['stash', 'show', '--numstat', '-z']).stdout);
      return {
        content: { files },
        summary: `${counted(files.length, 'file')} in the newest stash`,
      };
    }
    const named = action === 'push' && message !== undefined ? ['-m', message] : [];
    const said = runGit(['stash', action, ...named]).stdout.trim();
    return { content: { action, said }, summary: said.split('\n').at(-1) ?? action };
  },
});

function staged() {
  return parseNumstat(runGit(['diff', '--cached', '--numstat', '-z']).stdout);
}

function countsOf(files: ReturnType<typeof staged>, what: string) {
  return { content: { files }, summary: `${counted(files.length, 'file')} ${what}` };
}
