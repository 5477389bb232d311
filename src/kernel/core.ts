import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { currentFolder, ignoredText, limitKeys, loadConfig } from '../config/load-config.ts';
import { narrow } from '../config/narrow.ts';
import { useTempFolder } from '../config/paths.ts';
import type { Grant } from '../contracts/capability.ts';
import type { Config } from '../contracts/config.ts';
import { KernelError, reasonOf } from '../contracts/error.ts';
import type { JournalBody } from '../contracts/journal.ts';
import { plainSecretsOf } from '../guard/scan-text.ts';
import { defaultLimits, type HostLimits } from '../host/limits.ts';
import { type AuditKeys, openAuditKeys } from '../journal/audit-keys.ts';
import { openEventLog } from '../journal/event-log.ts';
import { type RecordPorts, recordRun } from '../journal/record-run.ts';
import { requireAnsweringFolder, requireAnsweringMounts } from '../lib/files/answering-mounts.ts';
import { noKey } from '../lib/hash-chain.ts';
import { type Clock, newId, steadyClock, systemClock } from '../lib/ids-clock.ts';
import { once, sayOnce } from '../lib/memo.ts';
import { parseGrant, refuseUnknownRoots } from '../policy/parse-grant.ts';
import { createProcessSandbox, type ProcessSandbox } from '../sandbox/process-sandbox.ts';
import { followWorkspace, rescueEmptyStore } from '../store/follow-workspace.ts';
import type { StoreWithJournal } from '../store/open-store.ts';
import { createBlobStore } from '../workspace/blob-store.ts';
import { type DryRun, openDryRun } from './changes/dry-run.ts';
import { settleRuns } from './changes/settle-runs.ts';
import type { KernelOptions } from './kernel-options.ts';
import { openHome } from './open-home.ts';
import { createRunsUnderWay, kernelClosed, type RunsUnderWay } from './runs-under-way.ts';

export type KernelCore = AsyncDisposable & {
  readonly options: KernelOptions;
  /** of the workspace itself */
  readonly loaded: Config;
  /** as `loaded`, but in a dry run tools work on a copy of the workspace */
  readonly config: Config;
  readonly limits: HostLimits;
  /** grants of this run alone, for every plugin it uses */
  readonly allowed: readonly Grant[];
  readonly clock: Clock;
  /** measures durations */
  readonly steadyClock: Clock;
  /** undefined unless this is a dry run */
  readonly dry: DryRun | undefined;
  /** what confines plugin processes, transpilers and models */
  readonly sandbox: ProcessSandbox;
  readonly runs: RunsUnderWay;
  /** one sentence that a person should read */
  warn(text: string): void;
  openHome(): void;
  /** The store, opened by its first use. */
  store(): Promise<StoreWithJournal>;
  /** whether it is open and can be written */
  isStoreOpen(): boolean;
  /** whether this home has a store that could be opened */
  hasStore(): boolean;
  /**
   * Closes a part together with the kernel.
   *
   * @throws {KernelError} `canceled` when the kernel is closed already
   */
  own<Part extends Disposable | AsyncDisposable>(part: Part): Part;
  readonly audit: AuditKeys;
  /** what a run is recorded with */
  readonly record: RecordPorts;
  /** Writes down the kernel's own request; warns if that fails. */
  noteRequest(request: JournalBody<'network'>): Promise<void>;
  /** Makes a change of what plugins may do, but only if it can be journaled. */
  journaled<Value>(
    command: string,
    what: string,
    change: (run: string) => Value | Promise<Value>,
  ): Promise<Value>;
};

/** @throws {KernelError} for a wrong configuration, workspace or grant */
export async function openCore(options: KernelOptions): Promise<KernelCore> {
  const named = resolve(currentFolder(), options.workspace ?? '.');
  await requireAnsweringFolder(named);
  const loaded = loadConfig(options);
  useTempFolder(loaded.home);
  if (loaded.workspace !== named) await requireAnsweringFolder(loaded.workspace);
  if (options.dryRun) await requireAnsweringMounts(loaded.workspace);
  const allowed = (options.allow ?? []).map(parseGrant);
  refuseUnknownRoots(allowed);
  const clock = options.clock ?? systemClock;
  const warn = options.onWarning ?? (() => {});
  const warnOnce = sayOnce(warn);
  const dry = options.dryRun ? await openDryRun({ config: loaded, clock, warn }) : undefined;
  const config = dry === undefined ? loaded : { ...loaded, workFolder: dry.folder };
  const limits = narrowLimits(config, warn);
  const opened = new AsyncDisposableStack();
  opened.use(dry);
  const runs = createRunsUnderWay();
  const own: KernelCore['own'] = (part) => {
    if (opened.disposed) {
      disposeNow(part);
      throw kernelClosed();
    }
    return opened.use(part);
  };

  const storePath = join(config.home, 'cuervo.db');
  const audit = openAuditKeys(config.home);
  let isStoreOpen = false;
  const store = once(async (): Promise<StoreWithJournal> => {
    openHome(config.home);
    const { openStore } = await import('../store/open-store.ts');
    const aside = rescueEmptyStore(config.home);
    if (aside !== undefined) {
      warn(
        `${storePath} was empty, and is kept as ${aside}: runs and sessions are gone; take what the tables of memory hold over with: cuervo memory rebuild`,
      );
    }
    const { nowMs } = clock;
    // Where nothing is kept, no key is made.
    const auditKey = () => (isStoreOpen ? audit.chainKey() : (audit.readChainKey() ?? noKey));
    const onWritten = openEventLog(config.home, config.log, (error) =>
      warnOnce(`logs/events.log lacks lines: ${error.message}`),
    );
    const made = own(
      openStore({
        ...{ path: storePath, nowMs, auditKey },
        ...(onWritten === undefined ? {} : { onWritten }),
      }),
    );
    isStoreOpen = made.unwritable === undefined;
    if (isStoreOpen) {
      const old = followWorkspace(made, loaded.workspace);
      if (old !== undefined) warn(`this workspace was ${old}; its undo and memory are here now`);
      settleRuns(made, loaded);
    }
    return made;
  });

  const record: RecordPorts = {
    clock,
    withoutSecrets: (text) =>
      plainSecretsOf(text).reduce(
        (left, { kind, value }) => left.replaceAll(value, `[redacted: ${kind}]`),
        text,
      ),
    ...(options.record === true ? { keepPayload: keepPayloads(config.home) } : {}),
    signHead: (of) => {
      // A copy of the store is gone with the run.
      if (isStoreOpen) audit.signHead(of, clock.nowMs());
    },
  };
  const noteRequest: KernelCore['noteRequest'] = async (body) => {
    try {
      (await store()).addEvents([{ kind: 'network', ts: clock.nowMs(), body }]);
    } catch (thrown) {
      warnOnce(`requests are not in the journal: ${reasonOf(thrown)}`);
    }
  };
  const journaled: KernelCore['journaled'] = (command, question, change) =>
    runs.finish(async () => {
      const id = newId(clock.nowMs());
      const row = { id, command, question, project: config.workspace, model: 'none' };
      const journal = recordRun(await store(), row, record);
      try {
        journal.decided(command, question);
        const value = await change(id);
        journal.finish(undefined);
        return value;
      } catch (thrown) {
        journal.finish(KernelError.from(thrown, 'internal'));
        throw thrown;
      }
    });

  return {
    options,
    loaded,
    config,
    limits,
    allowed,
    clock,
    steadyClock: options.clock ?? steadyClock,
    dry,
    sandbox: createProcessSandbox(config.pluginSandbox, { home: config.home }),
    runs,
    warn,
    openHome: () => openHome(config.home),
    store,
    isStoreOpen: () => isStoreOpen,
    hasStore: () => existsSync(storePath),
    own,
    audit,
    record,
    noteRequest,
    journaled,
    [Symbol.asyncDispose]: async () => {
      // Runs need the parts that are closed after them.
      await runs.close();
      await opened.disposeAsync();
    },
  };
}

/** Limits as the configuration sets them and a project lowers them. */
function narrowLimits(config: Config, warn: (text: string) => void): HostLimits {
  const wanted = { ...defaultLimits, ...config.limits };
  const { values, ignored } = narrow<HostLimits>(wanted, config.ceilings, limitKeys);
  for (const text of config.warnings) warn(text);
  for (const { key, ...rest } of ignored) warn(ignoredText({ key: `limits.${key}`, ...rest }));
  return values;
}

/** Of a folder that the first one makes. */
function keepPayloads(home: string): (answer: string) => string {
  const blobs = createBlobStore(join(home, 'blobs'));
  return (answer) => blobs.keep(Buffer.from(answer));
}

function disposeNow(part: Disposable | AsyncDisposable): void {
  if (Symbol.dispose in part) part[Symbol.dispose]();
  // The kernel is closed already; nothing waits for the end of this part.
  else part[Symbol.asyncDispose]().then(undefined, () => {});
}
