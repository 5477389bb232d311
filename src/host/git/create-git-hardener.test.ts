import { describe, expect, it } from 'vitest';
import { createGitHardener } from './create-git-hardener.ts';

/** Answers for a repository whose configuration is given; counts who asked for it. */
function openGit() {
  const git = { config: 'core.bare\0', asked: 0 };
  const harden = createGitHardener(async () => []);
  return {
    git,
    harden: (args: readonly string[], isConfigMasked: boolean) => {
      const run = async (asked: readonly string[]) => {
        if (asked[0] === '--list-cmds=main') return { stdout: 'status\ndiff\n', truncated: false };
        git.asked += 1;
        return { stdout: git.config, truncated: false };
      };
      return harden(args, run, { isConfigMasked });
    },
  };
}

describe('createGitHardener()', () => {
  it('asks for the configuration each time where a repository shows one', async () => {
    const { git, harden } = openGit();
    await harden(['status'], false);
    git.config = 'filter.evil.clean\0';
    expect(await harden(['status'], false)).toContain('filter.evil.clean=');
    expect(git.asked).toBe(2);
  });

  it('asks once where all of them are masked, and only the one of the system is left', async () => {
    const { git, harden } = openGit();
    git.config = 'filter.lfs.clean\0';
    for (const args of [['status'], ['--literal-pathspecs', 'diff']]) {
      expect(await harden(args, true)).toContain('filter.lfs.clean=');
    }
    expect(git.asked).toBe(1);
  });

  it.each([['-c', 'include.path=evil'], ['--git-dir=store'], ['-C', 'sub']])(
    'asks nevertheless when the command brings or chooses a configuration: git %s %s',
    async (...options) => {
      const { git, harden } = openGit();
      await harden(['status'], true);
      git.config = 'filter.evil.clean\0';
      expect(await harden([...options, 'status'], true)).toContain('filter.evil.clean=');
      await harden(['status'], true);
      expect(git.asked).toBe(2);
    },
  );
});
