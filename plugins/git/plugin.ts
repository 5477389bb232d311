import { definePlugin } from '@cuervo/sdk';
import { commit, restore, stage, stash, unstage } from './change-tools.ts';
import { blame, branches, diff, log, show, status } from './read-tools.ts';
import { fetch, push } from './remote-tools.ts';

export default definePlugin({
  name: 'git',
  version: '0.1.0',
  description:
    'Looks at the history and the state of a git repository, commits, and talks to remotes.',
  licence: 'Apache-2.0',
  wants: [{ capability: 'exec', why: 'runs git in the workspace, and no other program' }],
  tools: [
    status,
    diff,
    log,
    show,
    blame,
    branches,
    stage,
    unstage,
    commit,
    restore,
    stash,
    fetch,
    push,
  ],
});
