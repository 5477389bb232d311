import { describe, expect, it } from 'vitest';
import { createGitHardener } from './harden-git.ts';

/** Answers for a repository whose configuration is given; counts who asked for it. */
function openGit() {
  const git = { config: 'core.bare\0', asked: 0, exitCode: 0 };
  const harden = createGitHardener();
  return {
    git,
    harden: async (args: readonly string[], isConfigMasked: boolean) => {
      const run = async (asked: readonly string[]) => {
        if (asked.includes('--list-cmds=main'))
          return { exitCode: 0, stdout: 'status\ndiff\n', truncated: false };
        git.asked += 1;
        return { exitCode: git.exitCode, stdout: git.config, truncated: false };
      };
      return (await harden(args, run, { isConfigMasked })).args;
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

  it('asks again where git found no repository to tell of', async () => {
    const { git, harden } = openGit();
    Object.assign(git, { config: '', exitCode: 128 });
    await harden(['status'], true);
    Object.assign(git, { config: 'filter.lfs.clean\0', exitCode: 0 });
    expect(await harden(['status'], true)).toContain('filter.lfs.clean=');
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
