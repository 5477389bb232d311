import type { JsonObject } from '../contracts/tool.ts';
import { createGuard, type GuardNotice, type OutsideText } from '../guard/create-guard.ts';
import { createWorkspaceSecrets } from './ask/workspace-secrets.ts';
import type { KernelCore } from './core.ts';

/** The checkpoints before another program's remote model. */
export type RemoteGuard = {
  /**
   * Learns the secrets that files of the workspace hold, before anything of them is shown.
   *
   * @param paths that were read or changed, relative to the workspace
   */
  know(paths: readonly string[], options: { signal: AbortSignal }): Promise<void>;
  /** a text as it may be sent, with a warning where needed */
  outside(part: OutsideText): OutsideText;
  /** one text of a result that was shown to `outside` whole */
  part(text: string): string;
  /** an input of the model with values in the place of stand-ins, or why the call is not made */
  call(
    call: { name: string; input: JsonObject },
    options: { leavesMachine: boolean },
  ): { input: JsonObject } | { refusal: string };
  notices(): GuardNotice[];
};

/** @param options.isPerson texts are shown to a person: secrets are left out, names and addresses stay */
export function createRemoteGuard(
  { config, warn }: KernelCore,
  { isPerson = false }: { isPerson?: boolean } = {},
): RemoteGuard {
  const guard = createGuard({
    remote: true,
    privacy: isPerson ? { ...config.privacy, personalData: 'send' } : config.privacy,
    question: '',
    isHeard: false,
  });
  const folder = config.workFolder ?? config.workspace;
  const held = createWorkspaceSecrets({ folder, warn, tell: () => {} });
  return {
    know: async (paths, options) => guard.know(await held.find(paths, options)),
    outside: guard.outside,
    part: guard.own,
    call: ({ name, input }, options) => guard.call({ id: '', name, input }, options),
    notices: guard.notices,
  };
}
