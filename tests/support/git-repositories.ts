import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Makes a repository in a folder that is there and empty. */
export type Repository = {
  name: string;
  make(repository: Maker): void;
};

export type Maker = {
  /** the repository's folder, and one beside it for others */
  folder: string;
  beside: string;
  git(...args: string[]): string;
  /** in another folder than the repository's own */
  gitIn(folder: string, ...args: string[]): string;
  write(path: string, text: string | Uint8Array): void;
  remove(path: string): void;
  move(from: string, to: string): void;
  commit(message: string): void;
};

/** Plain git, with nothing of the user's configuration but a name. */
export function plainGit(
  folder: string,
  home: string,
  args: readonly string[],
  input?: string,
): string {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    LANG: 'C.UTF-8',
    GIT_AUTHOR_DATE: '2026-11-22T10:00:00+01:00',
    GIT_COMMITTER_DATE: '2026-11-22T10:00:00+01:00',
  };
  const done = spawnSync('git', args, {
    cwd: folder,
    env,
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
  });
  // A merge with conflicts ends with 1, and is what was wanted.
  if (done.status !== 0 && !/CONFLICT/.test(done.stdout)) {
    throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
  }
  return done.stdout;
}

export function createMaker(folder: string, beside: string, home: string): Maker {
  const git = (...args: string[]) => plainGit(folder, home, args);
  const at = (path: string) => join(folder, path);
  return {
    folder,
    beside,
    git,
    gitIn: (other, ...args) => plainGit(other, home, args),
    write: (path, text) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    },
    remove: (path) => unlinkSync(at(path)),
    move: (from, to) => {
      mkdirSync(dirname(at(to)), { recursive: true });
      renameSync(at(from), at(to));
    },
    commit: (message) => {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '-m', message);
    },
  };
}

const lines = (count: number, of = 'line'): string =>
  Array.from({ length: count }, (_, at) => `${of} ${at + 1}\n`).join('');

/** Two commits, and a change of each kind that is not committed. */
function start({ git, write, commit }: Maker): void {
  git('init', '--quiet', '--initial-branch=main');
  write('a.txt', lines(10));
  write('src/b.ts', 'export const b = 1;\n');
  write('c.txt', 'c\n');
  commit('First');
  write('a.txt', `${lines(10)}eleven\n`);
  commit('Second\n\nWith a body, and "quotes".');
}

const diverge = (maker: Maker, path: string): void => {
  const { git, write, commit } = maker;
  start(maker);
  git('checkout', '--quiet', '-b', 'side');
  write(path, 'side\n');
  commit('Side');
  git('checkout', '--quiet', 'main');
  write(path, 'main\n');
  commit('Main');
};

const oddNames = [
  ...['with space.txt', 'new\nline.txt', 'tab\there.txt', 'quote"s.txt', "apo'strophe.txt"],
  ...['back\\slash.txt', '-dash.txt', '--option', ':(top)magic.txt', 'glob*.txt', 'glob?[a].txt'],
  ...['größe.txt', '漢字.txt', '💡.txt', 'escape\u001b[31m.txt', ' leading', 'trailing ', '#hash'],
  ...['a -> b.txt', 'R100.txt', 'dir with space/inner file.txt', '...', 'carriage\rreturn.txt'],
];

export const repositories: readonly Repository[] = [
  { name: 'fresh', make: ({ git }) => void git('init', '--quiet', '--initial-branch=main') },
  {
    name: 'fresh with files',
    make: ({ git, write }) => {
      git('init', '--quiet', '--initial-branch=main');
      write('a.txt', 'a\n');
      write('src/b.txt', 'b\n');
      git('add', 'a.txt');
    },
  },
  { name: 'clean', make: start },
  {
    name: 'changed in every way',
    make: (maker) => {
      start(maker);
      maker.write('a.txt', 'changed\n');
      maker.write('new.txt', 'new\n');
      maker.git('add', 'new.txt');
      maker.write('new.txt', 'new\nand more\n');
      maker.write('other/untracked.txt', 'u\n');
      maker.remove('c.txt');
    },
  },
  {
    name: 'staged in every way',
    make: (maker) => {
      start(maker);
      maker.write('a.txt', 'changed\n');
      maker.remove('c.txt');
      maker.write('new.txt', 'new\n');
      maker.git('add', '--all');
    },
  },
  {
    name: 'detached head',
    make: (maker) => {
      start(maker);
      maker.git('checkout', '--quiet', '--detach', 'HEAD~1');
      maker.write('a.txt', 'detached\n');
    },
  },
  {
    name: 'renamed and staged',
    make: (maker) => {
      start(maker);
      maker.move('a.txt', 'moved/renamed file.txt');
      maker.git('add', '--all');
    },
  },
  {
    name: 'renamed and changed',
    make: (maker) => {
      start(maker);
      maker.write('a.txt', `${lines(10)}twelve\n`);
      maker.move('a.txt', 'b.txt');
      maker.git('add', '--all');
      maker.write('b.txt', `${lines(10)}thirteen\n`);
    },
  },
  {
    name: 'renamed in the last commit',
    make: (maker) => {
      start(maker);
      maker.move('a.txt', 'docs/a.txt');
      maker.commit('Move it');
    },
  },
  {
    name: 'conflict of contents',
    make: (maker) => {
      diverge(maker, 'a.txt');
      maker.git('merge', 'side');
    },
  },
  {
    name: 'conflict of added files',
    make: (maker) => {
      diverge(maker, 'new file.txt');
      maker.git('merge', 'side');
    },
  },
  {
    name: 'conflict of a deleted file',
    make: (maker) => {
      start(maker);
      maker.git('checkout', '--quiet', '-b', 'side');
      maker.remove('c.txt');
      maker.commit('Remove');
      maker.git('checkout', '--quiet', 'main');
      maker.write('c.txt', 'kept\n');
      maker.commit('Keep');
      maker.git('merge', 'side');
    },
  },
  {
    name: 'merged',
    make: (maker) => {
      start(maker);
      maker.git('checkout', '--quiet', '-b', 'side');
      maker.write('side.txt', 'side\n');
      maker.commit('Side');
      maker.git('checkout', '--quiet', 'main');
      maker.write('main.txt', 'main\n');
      maker.commit('Main');
      maker.git('merge', '--quiet', '--no-edit', 'side');
    },
  },
  {
    name: 'odd names, untracked',
    make: (maker) => {
      start(maker);
      for (const name of oddNames) maker.write(name, `${name}\n`);
    },
  },
  {
    name: 'odd names, changed',
    make: (maker) => {
      start(maker);
      for (const name of oddNames) maker.write(name, `${name}\n`);
      maker.commit('Odd');
      for (const name of oddNames) maker.write(name, `${name}\nmore\n`);
    },
  },
  {
    name: 'odd names, renamed',
    make: (maker) => {
      start(maker);
      for (const name of oddNames) maker.write(`x/${name}`, lines(5, name.replace(/\s/g, '_')));
      maker.commit('Odd');
      maker.move('x', 'y z');
      maker.git('add', '--all');
    },
  },
  {
    name: 'bytes that are not UTF-8',
    make: (maker) => {
      start(maker);
      maker.write('latin1.txt', Buffer.from('caf\xe9\nna\xefve\n', 'latin1'));
      maker.commit('Latin');
      maker.write('latin1.txt', Buffer.from('caf\xe9\n', 'latin1'));
    },
  },
  {
    name: 'binary files',
    make: (maker) => {
      start(maker);
      maker.write('image.bin', Buffer.from([0, 1, 2, 255, 254, 0]));
      maker.commit('Binary');
      maker.write('image.bin', Buffer.from([0, 1, 2, 3]));
    },
  },
  {
    name: 'Windows line ends',
    make: (maker) => {
      start(maker);
      maker.write('crlf.txt', 'one\r\ntwo\r\n');
      maker.commit('CRLF');
      maker.write('crlf.txt', 'one\r\nthree\r\nno end');
    },
  },
  {
    name: 'line ends by attributes',
    make: (maker) => {
      start(maker);
      maker.write('.gitattributes', '*.txt text eol=crlf\n*.bin binary\n');
      maker.write('x.bin', 'text\n');
      maker.commit('Attributes');
      maker.write('a.txt', 'one\r\ntwo\r\n');
      maker.write('x.bin', 'other\n');
    },
  },
  {
    name: 'line ends by configuration',
    make: (maker) => {
      start(maker);
      maker.git('config', 'core.autocrlf', 'true');
      maker.write('a.txt', lines(10).replaceAll('\n', '\r\n'));
      maker.write('crlf.txt', 'one\r\ntwo\r\n');
    },
  },
  {
    name: 'modes that do not count',
    make: (maker) => {
      start(maker);
      maker.git('config', 'core.fileMode', 'false');
      chmodSync(join(maker.folder, 'src/b.ts'), 0o755);
      maker.write('a.txt', 'changed\n');
    },
  },
  {
    name: 'ignored files',
    make: (maker) => {
      start(maker);
      maker.write('.gitignore', '*.log\nbuild/\n!keep.log\n');
      maker.write('x.log', 'x\n');
      maker.write('keep.log', 'k\n');
      maker.write('build/out.txt', 'o\n');
      maker.write('src/.gitignore', 'local.*\n');
      maker.write('src/local.ts', 'l\n');
    },
  },
  {
    name: 'mode and kind changes',
    make: (maker) => {
      start(maker);
      chmodSync(join(maker.folder, 'src/b.ts'), 0o755);
      maker.remove('c.txt');
      symlinkSync('a.txt', join(maker.folder, 'c.txt'));
      symlinkSync('nowhere', join(maker.folder, 'dangling'));
    },
  },
  {
    name: 'file that became a folder',
    make: (maker) => {
      start(maker);
      maker.remove('c.txt');
      maker.write('c.txt/inside.txt', 'i\n');
    },
  },
  {
    name: 'stashes',
    make: (maker) => {
      start(maker);
      maker.write('a.txt', 'first stash\n');
      maker.git('stash', 'push', '--quiet', '-m', 'half of "it": done');
      maker.write('c.txt', 'second stash\n');
      maker.git('stash', 'push', '--quiet');
      maker.write('src/b.ts', 'after\n');
    },
  },
  {
    name: 'branches and tags',
    make: (maker) => {
      start(maker);
      for (const name of ['feat/one', 'fix-2', 'größe', 'release/1.0']) maker.git('branch', name);
      maker.git('tag', 'v1');
      maker.git('tag', '-a', 'v2', '-m', 'two');
      maker.write('a.txt', 'later\n');
      maker.commit('Later');
    },
  },
  {
    name: 'ahead and behind a remote',
    make: (maker) => {
      start(maker);
      const remote = join(maker.beside, 'remote.git');
      maker.gitIn(maker.beside, 'clone', '--quiet', '--bare', maker.folder, remote);
      maker.git('remote', 'add', 'origin', remote);
      maker.git('fetch', '--quiet', 'origin');
      maker.git('branch', '--quiet', '--set-upstream-to=origin/main');
      maker.write('ahead.txt', 'a\n');
      maker.commit('Ahead');
    },
  },
  {
    name: 'work tree inside',
    make: (maker) => {
      start(maker);
      maker.git('worktree', 'add', '--quiet', '-b', 'other', 'trees/other');
      maker.write('.git/info/exclude', 'trees/\n');
      maker.write('a.txt', 'changed\n');
    },
  },
  {
    name: 'submodule',
    make: (maker) => {
      const library = join(maker.beside, 'library');
      mkdirSync(library);
      maker.gitIn(library, 'init', '--quiet', '--initial-branch=main');
      writeFileSync(join(library, 'lib.txt'), 'lib\n');
      maker.gitIn(library, 'add', '.');
      maker.gitIn(library, 'commit', '--quiet', '-m', 'Lib');
      start(maker);
      maker.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
      maker.commit('Add the library');
      writeFileSync(join(maker.folder, 'lib/more.txt'), 'more\n');
      maker.gitIn(join(maker.folder, 'lib'), 'add', '.');
      maker.gitIn(join(maker.folder, 'lib'), 'commit', '--quiet', '-m', 'More');
      maker.write('a.txt', 'changed\n');
    },
  },
  {
    name: 'many commits by several',
    make: (maker) => {
      maker.git('init', '--quiet', '--initial-branch=main');
      for (let at = 0; at < 40; at += 1) {
        maker.write('a.txt', lines(at + 1));
        maker.git('add', '--all');
        const author = `--author=${at % 3 === 0 ? 'Ann <ann@x>' : 'Bea "B" Ößer <bea@y>'}`;
        maker.git('commit', '--quiet', author, '-m', `Change ${at}: ünï "x"`);
      }
    },
  },
  {
    name: 'large',
    make: (maker) => {
      maker.git('init', '--quiet', '--initial-branch=main');
      for (let at = 0; at < 1500; at += 1) maker.write(`d${at % 40}/f${at}.txt`, `${at}\n`);
      maker.commit('Large');
      for (let at = 0; at < 300; at += 1) maker.write(`d${at % 40}/f${at}.txt`, `changed ${at}\n`);
      rmSync(join(maker.folder, 'd39'), { recursive: true });
    },
  },
  {
    name: 'long lines and messages',
    make: (maker) => {
      start(maker);
      maker.write('long.txt', `${'x'.repeat(20_000)}\n`);
      maker.commit(`${'Long subject '.repeat(30)}\n\n${'body line\n'.repeat(50)}`);
      maker.write('long.txt', `${'y'.repeat(20_000)}\n`);
    },
  },
];
