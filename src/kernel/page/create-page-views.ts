import { capabilities } from '../../contracts/capabilities.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import { KernelError } from '../../contracts/error.ts';
import type { ListedPlugin } from '../../contracts/output/parse-plugin-output.ts';
import type { RunRow, Store } from '../../contracts/store.ts';
import type { Kernel } from '../../kernel.ts';
import { protectedBelow, workRoot } from '../../lib/files/paths.ts';
import type { JobsView, PagePlugin, PageViews, RunLine, RunView } from '../../page/views.ts';
import { sessionEntries } from '../ask/session-entries.ts';
import { createShown } from './create-shown.ts';
import { memoryView } from './memory-view.ts';
import { changedFiles, type DescribeEvent, evidenceLines, viewOfEvents } from './run-view.ts';

const dayMs = 86_400_000;
const costDays = 30;
/** So many steps are named one by one in the store. */
const maxStepsOf = 2_000;

export type PageParts = {
  describe: DescribeEvent;
  jobs(): Promise<JobsView>;
  signal: AbortSignal;
};

/** What a kernel knows, as the page shows it: of its workspace alone, and through the guard. */
export function createPageViews(kernel: Kernel, parts: PageParts): PageViews {
  const { config } = kernel;
  const guard = kernel.remoteGuard();
  const shown = createShown(guard);
  const { isProtected } = createContentGate(protectedBelow(config));
  const { signal } = parts;

  const runOf = async (start: string): Promise<RunRow> => {
    const run = await kernel.journal.find(start);
    if (run.project === config.workspace) return run;
    throw new KernelError('not-found', `the run "${start}" is of another workspace`, {
      hint: 'See it with: cuervo ui --workspace DIR',
    });
  };

  const runView = async (start: string): Promise<RunView> => {
    const store = await kernel.store();
    const run = await runOf(start);
    const events = await kernel.journal.events(run.id);
    const { places, files, ...view } = viewOfEvents(events, parts.describe);
    const [changed] = (await kernel.undo.runs(Number.MAX_SAFE_INTEGER)).filter(
      (each) => each.run === run.id,
    );
    const hasChanges = changed !== undefined && changed.changes > 0;
    const diffs = hasChanges ? await kernel.undo.diff(run.id) : [];
    await guard.know([...new Set([...files, ...places.map(({ path }) => path)])], { signal });
    const { id, session, model } = run;
    const answer = answerOf(store, run);
    return {
      run: {
        ...runLine(id, { ...run, changes: changed?.changes, undoneMs: changed?.undoneMs }),
        model,
        ...(session === undefined ? {} : { session }),
      },
      ...(answer === undefined ? {} : { answer }),
      ...view,
      evidence: evidenceLines(config, places),
      ...(await changedFiles(diffs, (path) => isProtected(path, workRoot))),
      ...(hasChanges && changed.undoneMs === undefined ? { undo: `cuervo undo ${id}` } : {}),
      lasting: changed?.lasting ?? [],
    };
  };

  /** Every view and every refusal passes the guard here, and nothing leaves otherwise. */
  const guarded = async <View>(make: () => Promise<View>): Promise<View> => {
    try {
      return shown(await make());
    } catch (thrown) {
      const { code, message, hint } = KernelError.from(thrown, 'internal');
      throw new KernelError(code, shown(message), {
        cause: thrown,
        ...(hint === undefined ? {} : { hint: shown(hint) }),
      });
    }
  };

  return {
    overview: () =>
      guarded(async () => ({
        workspace: config.workspace,
        seq: (await kernel.store()).lastLink()?.seq ?? 0,
      })),
    runs: (limit) =>
      guarded(async () => {
        const rows = await kernel.undo.allRuns(limit + 1);
        return {
          runs: rows.slice(0, limit).map((row) => runLine(row.run, row)),
          isWhole: rows.length <= limit,
        };
      }),
    run: (id) => guarded(() => runView(id)),
    memory: (asked) => guarded(() => memoryView(kernel, asked, { isProtected, signal })),
    plugins: () =>
      guarded(async () => {
        const store = await kernel.store();
        return { plugins: kernel.plugins.list().map((listed) => pagePlugin(listed, store)) };
      }),
    jobs: () => guarded(parts.jobs),
    cost: () =>
      guarded(async () => {
        const sinceMs = kernel.jobs.nowMs() - costDays * dayMs;
        return { days: (await kernel.store()).usageByDay(config.workspace, sinceMs), sinceMs };
      }),
  };
}

type AnyRun = Pick<RunRow, 'command' | 'question' | 'status' | 'startedMs'> & {
  finishedMs?: number | undefined;
  changes?: number | undefined;
  undoneMs?: number | undefined;
};

function runLine(id: string, row: AnyRun): RunLine {
  const { command, question, status, startedMs, finishedMs, changes = 0, undoneMs } = row;
  return {
    ...{ id, command, question, status, startedMs, changes },
    ...(finishedMs === undefined ? {} : { finishedMs }),
    ...(undoneMs === undefined ? {} : { undoneMs }),
  };
}

/** The last words of a model; an answer without one is not kept. */
function answerOf(store: Store, { id, session }: RunRow): string | undefined {
  if (session === undefined) return undefined;
  return sessionEntries(store, session).findLast(
    ({ run, role, text, calls }) =>
      run === id && role === 'assistant' && calls === undefined && text !== '',
  )?.text;
}

function pagePlugin(listed: ListedPlugin, store: Store): PagePlugin {
  const { name, version, source, description, tools, grants, identity, sha256 } = listed;
  const steps = store.stepsOf(name, sha256);
  const [last] = steps;
  const lastMs = last === undefined ? undefined : store.run(last.run)?.startedMs;
  const isBuiltin = source === 'built-in';
  return {
    ...{ name, version, source, description, tools, grants },
    by: isBuiltin ? 'cuervo' : identity === 'nobody' ? 'an unknown publisher' : identity.text,
    wants: listed.capabilities.map((capability) => ({ capability, can: canOf(capability) })),
    use: {
      calls: steps.length,
      isMore: steps.length >= maxStepsOf,
      ...(lastMs === undefined ? {} : { lastMs }),
    },
  };
}

function canOf(capability: string): string {
  const rows: Readonly<Record<string, { can: string } | undefined>> = capabilities;
  return rows[capability]?.can ?? '';
}
