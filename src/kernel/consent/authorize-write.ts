import type { ConsentDesk, Edited } from '../../consent/consent-desk.ts';
import type { Grant } from '../../contracts/capability.ts';
import type { Config } from '../../contracts/config.ts';
import type { ProposedChange } from '../../contracts/consent.ts';
import { type HostCaller, ServiceError } from '../../contracts/host-service.ts';
import type { AuthorizeWrite, RequireWritable } from '../../host/interfaces/fs-write.ts';
import { rootFolders } from '../../lib/files/paths.ts';
import {
  type Decision,
  decide,
  type PolicyConfig,
  permitPlugin,
  type RequestingPlugin,
} from '../../policy/decide.ts';
import { isGrantDetail } from '../../policy/parse-grant.ts';
import type { NoteUse } from './authorize.ts';

const capability = 'fs-write';

const askedHint =
  'Run it at a terminal, where you are asked; or remove the name from the list with unprotected in your own config.toml.';

const readOnlyHint =
  'Run it at a terminal, where you are asked; or let the file be written first: chmod u+w FILE.';

export type WritePorts = {
  authorityOf(
    caller: HostCaller,
  ): Promise<{ manifest: RequestingPlugin; grants: readonly Grant[] }>;
  policy: PolicyConfig;
  desk: ConsentDesk;
  config: Pick<Config, 'workspace' | 'home' | 'workFolder'>;
  /** @throws {ServiceError} `denied` where no change could be taken back */
  requireJournal(): Promise<void>;
  used: NoteUse;
};

/**
 * Decides single writes. Below a granted root it asks only about files that some program runs by
 * itself. Below any other root a person sees each change before it is made.
 */
export function createAuthorizeWrite(ports: WritePorts): AuthorizeWrite {
  const { authorityOf, policy, desk, config } = ports;
  const decideWrite = (
    { root, runBy, readOnlyIn }: Parameters<AuthorizeWrite>[1],
    { manifest, grants }: Awaited<ReturnType<WritePorts['authorityOf']>>,
  ): Decision => {
    const found = decide({ capability, detail: root }, manifest, grants, policy);
    if (found.decision === 'deny') return found;
    const ask = (why: string, hint: string): Decision => ({
      ...{ decision: 'ask', hint },
      reason: `${why}, so no grant covers a change of it`,
    });
    if (runBy !== undefined)
      return ask(`${runBy} runs this file without being asked to`, askedHint);
    if (found.decision !== 'allow') return found;
    const readOnly = readOnlyIn(rootFolders([root], config));
    return readOnly === undefined ? found : ask(readOnly, readOnlyHint);
  };
  return async (caller, about, propose) => {
    const { root, runBy } = about;
    const { manifest, grants } = await authorityOf(caller);
    const { writeRoots } = permitPlugin(manifest, grants, policy);
    const held = rootFolders(writeRoots, config);
    // Allowed here: the write itself reports an invalid root as a malformed path.
    if (!isGrantDetail(capability, root)) return { roots: held };
    const found = decideWrite(about, { manifest, grants });
    if (found.decision !== 'deny') await ports.requireJournal();
    const grant = { capability, detail: root } as const;
    if (found.decision === 'allow') {
      await ports.used(grant, caller, 'grant');
      return { roots: held };
    }
    const { reason, hint } = found;
    if (found.decision === 'deny' || !desk.open) {
      throw new ServiceError('denied', reason, root, hint);
    }
    const roots = { ...held, ...foldersOf(root) };
    const withheld = new ServiceError('denied', reason, root, hint);
    // An edited text is a new change, shown like the first one.
    for (let after: Uint8Array | undefined; ; ) {
      const agreed = proposed(() => propose(roots, after), withheld);
      const edited = await ask(agreed);
      if (edited === undefined || !('after' in edited)) {
        await ports.used(grant, caller, 'person');
        return { roots, agreed };
      }
      after = edited.after;
    }

    async function ask(change: ProposedChange): Promise<Edited | undefined> {
      return await desk.ask({
        effect: { capability, change, ...(runBy === undefined ? {} : { runBy }) },
        caller,
        builtin: manifest.builtin,
        grant: { capability, detail: root },
        reason,
        hint,
        isHeld: async () => {
          const now = await authorityOf(caller);
          const again = decideWrite(about, now);
          return again.decision === 'allow';
        },
      });
    }

    function foldersOf(name: string): Record<string, string> {
      try {
        return rootFolders([name], config);
      } catch {
        throw new ServiceError('denied', reason, name, hint);
      }
    }
  };
}

/**
 * Decides without a question, when a program opens a file for writing: it then hears of a denial at
 * once and not after its last write.
 */
export function createRequireWritable({
  authorityOf,
  policy,
  desk,
}: Pick<WritePorts, 'authorityOf' | 'policy' | 'desk'>): RequireWritable {
  return async (caller, root) => {
    const { manifest, grants } = await authorityOf(caller);
    const found = decide({ capability, detail: root }, manifest, grants, policy);
    if (found.decision === 'allow' || (found.decision === 'ask' && desk.open)) return;
    throw new ServiceError('denied', found.reason, root, found.hint);
  };
}

/** Hides why a change fails from a plugin that may not look there. */
function proposed(propose: () => ProposedChange, denied: ServiceError): ProposedChange {
  try {
    return propose();
  } catch {
    throw denied;
  }
}
