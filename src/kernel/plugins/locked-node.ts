import { closedFlags, lockDownFile } from '../../sandbox/closed-flags.ts';

/** Arguments of Node for a program of a stranger that says one thing and reaches nothing. */
export function lockedNode(): string[] {
  const lock = lockDownFile();
  return ['--permission', ...closedFlags, `--allow-fs-read=${lock}`, '--require', lock];
}
