import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load-config.ts';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import type { FinishedJob, FleetBudget, FleetWork, TakenJob } from '../../contracts/fleet.ts';
import type { FleetChange, FleetResult, FleetStatus } from '../../contracts/output/parse-jobs.ts';
import { appliedChanges, makeBranch, takeBack, writePatch } from '../../fleet/keep-changes.ts';
import {
  type DatabaseOptions,
  type FleetDatabase,
  openDatabase,
  openTables,
} from '../../fleet/open-database.ts';
import { openQueue } from '../../fleet/open-queue.ts';
import { openRepositories } from '../../fleet/open-repositories.ts';
import { parseAddress, parseRepositories } from '../../fleet/parse-repositories.ts';
import { newestRun, readBlob, readResults, readStatus } from '../../fleet/read-reports.ts';
import { createGit } from '../../fleet/run-git.ts';
import { runWorker } from '../../fleet/run-worker.ts';
import type { KernelOptions } from '../../kernel.ts';
import { makeFolder } from '../../lib/files/folders.ts';
import { lockFile } from '../../lib/files/lock-file.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { newId } from '../../lib/ids-clock.ts';
import { sha256 } from '../../lib/sha256.ts';
import { createKeychain } from '../../secrets/secrets-key.ts';
import { openHome } from '../open-home.ts';
import { runFleetJob } from './run-fleet-job.ts';

/** A result with the changes that came with it. */
export type PatchedResult = { result: FleetResult; patch: Uint8Array };

/** What a person asks of a fleet; the database is opened by the first of them. The caller owns it. */
export type FleetCommands = AsyncDisposable & {
  /**
   * @param list one folder or git address a line
   * @param base folder that relative paths of the list start from
   * @returns the run as it is queued
   */
  submit(
    work: FleetWork,
    { list, base }: { list: string; base: string },
    budget: FleetBudget,
  ): Promise<FleetStatus>;
  /** Runs, newest first, or one. */
  status(run?: string): Promise<FleetStatus[]>;
  results(run?: string): Promise<AsyncIterable<FleetResult>>;
  patches(run?: string): AsyncIterable<PatchedResult>;
  apply(patched: PatchedResult, folder: string | undefined): Promise<FleetChange>;
  /** Undoes applied changes of a run; each result tells why a change had to stay. */
  undo(run: string): Promise<FleetChange[]>;
  cancel(run: string): Promise<number>;
  /** @returns where the password lies */
  keepPassword(password: string): Promise<string>;
};

/** How long a person's command waits for an unreachable database. */
const patienceMs = 5_000;

export function openFleetCommands(options: { signal: AbortSignal }): FleetCommands {
  const config = loadConfig({});
  const { signal } = options;
  const git = createGit(config.environment());
  let opened: Promise<FleetDatabase> | undefined;
  const database = (): Promise<FleetDatabase> => {
    opened ??= openWithTables(config, signal);
    return opened;
  };
  const withQueue = async <Value>(
    work: (queue: Awaited<ReturnType<typeof openQueue>>) => Promise<Value>,
  ): Promise<Value> => {
    const { leaseSeconds } = config.fleet;
    await using queue = await openQueue(await database(), { isWorker: false, leaseSeconds });
    return await work(queue);
  };
  const runOf = async (run: string | undefined) => run ?? (await newestRun(await database()));
  return {
    submit: async (work, { list, base }, budget) => {
      const repositories = parseRepositories(list, base);
      const id = newId(Date.now());
      await withQueue((queue) => queue.submit({ id, work, repositories, budget }));
      const [queued] = await readStatus(await database(), id);
      return queued as FleetStatus;
    },
    status: async (run) => await readStatus(await database(), run),
    results: async (run) => readResults(await database(), await runOf(run)),
    patches: async function* (run) {
      for await (const result of readResults(await database(), await runOf(run)))
        if (result.patch !== undefined)
          yield { result, patch: await readBlob(await database(), result.patch) };
    },
    apply: async ({ result, patch }, folder) => {
      const message = `Change made by cuervo fleet ${result.run}`;
      const change =
        folder === undefined
          ? await makeBranch(result, patch, message, { git, signal })
          : writePatch(result, patch, folder);
      openHome(config.home);
      const kept = appliedChanges(config.home, result.run);
      const others = kept
        .read()
        .filter(({ name, repository }) => name !== change.name || repository !== change.repository);
      kept.write([...others, change]);
      return change;
    },
    undo: async (run) => {
      const kept = appliedChanges(config.home, run);
      const changes = kept.read();
      if (changes.length === 0)
        throw new KernelError('not-found', `nothing of the run "${run}" was applied here`, {
          hint: 'Only what this home applied can be undone.',
        });
      const done: FleetChange[] = [];
      for (const change of changes) done.push(await takeBack(change, { git, signal }));
      kept.write(changes.filter((_, at) => done[at]?.left !== undefined));
      return done;
    },
    cancel: (run) => withQueue((queue) => queue.cancel(run)),
    keepPassword: (password) => keepPassword(config.home, password, signal),
    [Symbol.asyncDispose]: async () => {
      // A database that failed to open has reported that already.
      const database = await opened?.catch(() => undefined);
      await database?.[Symbol.asyncDispose]();
    },
  };
}

/** Makes missing tables: a person may look before anything was queued. */
async function openWithTables(config: Config, signal: AbortSignal): Promise<FleetDatabase> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(
    await openFleet(config, { connections: 4, patienceMs, statementMs: 60_000, signal }),
  );
  await openTables(database);
  opened.move();
  return database;
}

export type ServeOptions = {
  /** ends the worker after the jobs that it has begun */
  signal: AbortSignal;
  /** the worker ends when no job is left */
  isUntilEmpty: boolean;
  /** options of the jobs' kernels that this home's person set, such as the model */
  kernel: KernelOptions;
  onStart(text: string): void;
  onEnd(job: TakenJob, finished: FinishedJob, worker: string): void;
  onNote(text: string): void;
};

/**
 * Takes jobs and does them.
 *
 * @throws {KernelError} `unavailable` where another worker has this home, or the database is away
 */
export async function serveFleet(options: ServeOptions): Promise<void> {
  const config = loadConfig({});
  const { leaseSeconds, repositories: granted, cacheBytes } = config.fleet;
  const slots = config.fleet.jobs ?? availableParallelism();
  // It would take jobs of the team and fail each of them.
  if (granted.length === 0)
    throw new KernelError('invalid-argument', 'this worker may fetch no repository', {
      hint: 'Name folders or addresses in its config.toml: [fleet] repositories = ["/srv/repos"]',
    });
  openHome(config.home);
  const folder = join(config.home, 'fleet');
  makeFolder(folder);
  using _ = lockFile(join(folder, 'worker'), { what: 'another cuervo worker runs with this home' });
  // A signal of its own: after the end was requested, results must still reach the database.
  const own = new AbortController();
  await using database = await openFleet(config, {
    connections: slots * 2 + 2,
    patienceMs: leaseSeconds * 2_000,
    // After that the job belongs to another worker.
    statementMs: leaseSeconds * 1_000,
    signal: own.signal,
  });
  await using queue = await openQueue(database, { isWorker: true, leaseSeconds });
  const repositories = openRepositories({
    // Not in the home, which no tool may see; one folder for each home, as workers do not share it.
    folder: join(config.cache, 'fleet', sha256(config.home).slice(0, 16)),
    cacheBytes,
    granted,
    git: createGit(config.environment()),
  });
  const name = `${hostname()}:${process.pid}`;
  options.onStart(`worker ${name}: ${slots} jobs at once`);
  const empty = new AbortController();
  await runWorker({
    ...{ queue, name, slots, leaseSeconds },
    signal: AbortSignal.any([options.signal, empty.signal]),
    work: (job, begun, signal) =>
      runFleetJob(job, begun, { repositories, options: options.kernel, signal }),
    onEnd: (job, finished) => options.onEnd(job, finished, name),
    onNote: options.onNote,
    onIdle: options.isUntilEmpty
      ? async () => {
          if (await queue.isEmpty()) empty.abort();
        }
      : undefined,
  });
}

/** Under which a keychain keeps the password. */
const keychainId = 'fleet-database';

function passwordPath(home: string): string {
  return join(home, 'fleet-password');
}

/**
 * The database that the person's own configuration names. The caller owns it.
 *
 * @param options.connections at once
 * @throws {KernelError} `invalid-argument` where none is named
 */
async function openFleet(
  config: Config,
  options: Pick<DatabaseOptions, 'connections' | 'patienceMs' | 'statementMs' | 'signal'>,
): Promise<FleetDatabase> {
  const { address, ca } = config.fleet;
  if (address === undefined)
    throw new KernelError('invalid-argument', 'your config.toml names no database of a fleet', {
      hint: 'Name it: cuervo config set fleet.database postgres://USER@HOST:5432/NAME',
    });
  const password = (): Promise<string> => readPassword(config.home, options.signal);
  return await openDatabase({ address: parseAddress(address), password, ca, ...options });
}

/** @throws {KernelError} `permission-denied` for a file that others can read, or without a password */
async function readPassword(home: string, signal: AbortSignal): Promise<string> {
  const path = passwordPath(home);
  if (existsSync(path)) {
    const { mode, uid } = lstatSync(path);
    const isOwn = process.getuid === undefined || uid === process.getuid();
    if (isOwn && (mode & 0o077) === 0) return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    throw new KernelError('permission-denied', `others can read ${path}, or own it`, {
      hint: `Close it: chmod 600 ${path}`,
    });
  }
  try {
    return await createKeychain().read(keychainId, signal);
  } catch (thrown) {
    throw new KernelError(
      'permission-denied',
      'the database asks for a password, and none is kept',
      {
        cause: thrown,
        hint: 'Keep it with: cuervo fleet login',
      },
    );
  }
}

/** @returns where it lies: the keychain, else a file that only this user reads */
async function keepPassword(home: string, password: string, signal: AbortSignal): Promise<string> {
  const path = passwordPath(home);
  if (await createKeychain().keep(keychainId, password, signal)) {
    // A file is read first, so an older password in it would stay in use.
    rmSync(path, { force: true });
    return 'the keychain';
  }
  openHome(home);
  writeFileWhole(path, password);
  return path;
}
