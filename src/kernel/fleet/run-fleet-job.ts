import { KernelError } from '../../contracts/error.ts';
import type { RunEvent } from '../../contracts/events.ts';
import type { BegunJob, FinishedJob, FleetWork, TakenJob } from '../../contracts/fleet.ts';
import type { Checkout, Repositories } from '../../fleet/open-repositories.ts';
import { failedWith } from '../../fleet/run-worker.ts';
import { type Kernel, type KernelOptions, openKernel } from '../../kernel.ts';
import { truncateMiddle } from '../../lib/text/truncate-middle.ts';

/** The most bytes of an answer that a result keeps: a person reads 500 of them together. */
const maxContent = 256 * 1024;
const maxJournalBytes = 4 * 1024 * 1024;
const maxPatchBytes = 16 * 1024 * 1024;

/**
 * Does the work of a job on a work tree of its repository, with what this home grants. A job brings
 * no grant, no secret and no setting along: it names a question or a tool, and limits.
 */
export async function runFleetJob(
  job: TakenJob,
  { work, share }: BegunJob,
  ports: { repositories: Repositories; options: KernelOptions; signal: AbortSignal },
): Promise<FinishedJob> {
  const { repositories, signal } = ports;
  await using checkout = await repositories.checkout(job.repository, signal);
  const { tree, mirror, commit } = checkout;
  await using kernel = await openKernel({
    ...ports.options,
    workspace: tree,
    dryRun: work.kind === 'run',
    // The mirror holds this repository and nothing else, and a question only reads.
    ...(work.kind === 'ask' ? { allow: [`repository:${mirror}`] } : {}),
    ...(share.tokens === undefined ? {} : { maxTokens: share.tokens }),
    ...(share.usd === undefined ? {} : { maxUsd: share.usd }),
    ...(share.durationMs === undefined ? {} : { maxDurationMs: share.durationMs }),
  });
  const base = { ...failedWith(new KernelError('internal', 'the run told nothing')), commit };
  if (work.kind === 'index') {
    const { added, unchanged } = await kernel.index.update({ signal });
    const summary = `indexed ${added + unchanged} files`;
    return { ...base, outcome: 'ok', code: undefined, summary, content: summary };
  }
  const told = await follow(await eventsOf(kernel, work, signal));
  const finished = { ...base, ...told.finished, commit };
  if (told.run === undefined) return finished;
  const journal = await journalOf(kernel, told.run);
  if (work.kind !== 'run' || finished.outcome !== 'ok') return { ...finished, journal };
  const patch = await patchOf(kernel, told.run, checkout);
  return { ...finished, journal, patch };
}

async function eventsOf(
  kernel: Kernel,
  work: Exclude<FleetWork, { kind: 'index' }>,
  signal: AbortSignal,
): Promise<AsyncIterable<RunEvent>> {
  if (work.kind === 'ask') {
    return kernel.ask(work.question, { isQuestion: true, isForeign: true, signal });
  }
  const tool = (await kernel.tools()).find(({ name }) => name === work.tool);
  // What scripts call is refused one by one.
  if (tool?.effect === 'external' && tool.plugin !== 'script' && !work.external)
    throw refused(work.tool);
  return kernel.run(work.tool, work.input, {
    signal,
    isWhole: true,
    admit: (calls) => {
      const found = calls.find(({ effect }) => effect === 'external');
      if (found !== undefined && !work.external) throw refused(found.tool);
      return calls;
    },
  });
}

function refused(tool: string): KernelError {
  const message = `${tool} may have effects outside of the workspace, and the run was queued without --external`;
  return new KernelError('permission-denied', message, {
    hint: 'Queue it with --external: such a job is not repeated when its worker is lost.',
  });
}

type Told = { run: string | undefined; finished: Partial<FinishedJob> };

async function follow(events: AsyncIterable<RunEvent>): Promise<Told> {
  const told: Told = { run: undefined, finished: {} };
  const used = { tokens: 0, usd: 0 };
  const say = (finished: Partial<FinishedJob>): void => {
    told.finished = { ...told.finished, ...finished };
  };
  for await (const event of events) {
    told.run = event.run ?? told.run;
    if (event.type === 'usage') {
      used.tokens = event.spent.tokens;
      used.usd = event.spent.usd ?? 0;
    } else if (event.type === 'answer') {
      const evidence = event.evidence.map(({ path, line }) => `${path}:${line}`);
      const content = truncateMiddle(event.text, maxContent);
      // Without a model the first line only says so.
      const [read] = event.mode === 'model' ? [] : event.evidence;
      const words = (read?.text ?? content).split('\n').find((line) => /\w/.test(line)) ?? '';
      say({ content, evidence, summary: words.trim().slice(0, 500) });
    } else if (event.type === 'result')
      say({ content: truncateMiddle(event.content, maxContent), summary: event.summary });
    else if (event.type === 'error') say({ code: event.code, summary: event.message });
    else if (event.type === 'run-finished')
      say(event.status === 'ok' ? { outcome: 'ok', code: undefined } : { outcome: 'failed' });
  }
  say({ used });
  return told;
}

async function journalOf(kernel: Kernel, run: string): Promise<Uint8Array> {
  const lines: string[] = [];
  let bytes = 0;
  for (const event of await kernel.journal.events(run)) {
    const line = JSON.stringify(event);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxJournalBytes) break;
    lines.push(`${line}\n`);
  }
  return Buffer.from(lines.join(''));
}

/**
 * Applies the dry run to the work tree, which is deleted later, so that git can write the patch.
 */
async function patchOf(kernel: Kernel, run: string, checkout: Checkout): Promise<Uint8Array> {
  if (!kernel.apply.runs().some((row) => row.run === run)) return new Uint8Array();
  const { steps } = await kernel.apply.plan(run);
  if (steps.length === 0) {
    kernel.apply.discard(run);
    return new Uint8Array();
  }
  await kernel.apply.apply(run);
  const patch = await checkout.patch();
  if (patch.byteLength <= maxPatchBytes) return patch;
  const message = `the patch has ${patch.byteLength} bytes, limit ${maxPatchBytes}`;
  throw new KernelError('resource-exhausted', message);
}
