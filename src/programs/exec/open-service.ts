import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createContentGate } from '../../contracts/content-gate.ts';
import { type HostCaller, ServiceError } from '../../contracts/host-service.ts';
import { rootPlace } from './bwrap-arguments.ts';
import type { FoundProgram } from './find-program.ts';
import { type UsableSandbox, usableSandbox } from './find-sandbox.ts';
import { openProgramNetwork } from './open-program-proxy.ts';
import { planLaunch } from './plan-launch.ts';
import { type SurveyedRoot, startLaunch } from './run-launch.ts';
import { clearAll, masksIn, type ProgramPorts, surveyAll, withholdAll } from './run-program.ts';
import { createSurveyor, identityOf } from './survey-root.ts';

/** Its input is closed by then, which is how servers are told to end. */
const graceMs = 1000;

export type ServicePorts = Pick<
  ProgramPorts,
  'protectedPaths' | 'home' | 'sandbox' | 'changes' | 'warn' | 'limits' | 'resolve'
>;

/** A program that stays and is spoken to, and what it may reach. */
export type ServiceRun = {
  /** as messages call it */
  name: string;
  program: FoundProgram;
  /** one that begins with the name of a root, as `work:src`, is that place inside */
  args: readonly string[];
  /** beside what every program finds in its environment */
  environment: Readonly<Record<string, string>>;
  /** granted roots: name -> absolute directory */
  folders: Readonly<Record<string, string>>;
  /** it may write in them; what it changes is found and kept when it has ended */
  isWritable: boolean;
  /** the folders are cuervo's own: nobody takes back what is made in them, or obeys it */
  isPrivate?: boolean;
  /** absolute folders outside of all roots that it is shown where they lie, read-only */
  reads?: readonly string[];
  /** the only ones that it may talk to */
  origins: readonly string[];
  caller: Pick<HostCaller, 'plugin' | 'run' | 'step' | 'note' | 'signal'>;
};

/** Disposed, it is gone with all of its processes, and what it changed is in the journal. */
export type Service = AsyncDisposable & {
  input: Writable;
  output: Readable;
  errors: Readable;
  /** resolves to how it ended, when all of its processes are gone */
  ended: Promise<string>;
  /** Whether its folders hold by now what is kept from programs, and was not there at its start. */
  seesTooMuch(signal: AbortSignal): Promise<boolean>;
};

/**
 * Starts a program in the sandbox of programs that goes on until it is disposed. Without a sandbox it
 * is refused, also where a person said that programs need none: nobody reads each of its acts.
 *
 * @throws {ServiceError} `denied` without a sandbox, else as for a program
 */
export async function openService(run: ServiceRun, ports: ServicePorts): Promise<Service> {
  const tier = usableSandbox(await ports.sandbox());
  if (tier.tier === 'none') throw unconfined(run.name);
  const { folders, caller } = run;
  const survey = createSurveyor(createContentGate(ports.protectedPaths).isProtected);
  const roots = await surveyAll({ folders, caller }, survey);
  const withheld = withheldIn(roots);
  const [first] = roots;
  await using opened = new AsyncDisposableStack();
  const startedMs = Date.now();
  if (run.isWritable && run.isPrivate !== true) {
    const find = await ports.changes.watch(folders, {
      ...{ run: caller.run, step: caller.step, program: run.name, isUnconfined: false },
    });
    opened.defer(async () => {
      for (const text of await find()) ports.warn(`cannot be undone: ${text}`);
    });
    opened.defer(() => withholdAll({ program: run.name }, roots, survey));
  }
  if (run.isWritable)
    opened.defer(() => clearAll({ program: run.name, folders }, startedMs, ports));
  const proxy = await openProgramNetwork(
    {
      ...{ program: run.name, origins: run.origins, readOnly: false, caller },
      lets: (origin) => `--grant http:${origin} of cuervo mcp add lets it, or --allow for one run`,
    },
    tier,
    ports,
  );
  if (proxy !== undefined) opened.use(proxy);
  const launch = opened.use(
    planLaunch(tier, {
      program: shown(run),
      args: run.args.map((arg) => placed(arg, tier.tier, run)),
      at: first === undefined ? undefined : { root: first.name, segments: [] },
      roots,
      readOnly: !run.isWritable,
      writesRepositories: false,
      home: ports.home,
      masks: masksIn(ports.home),
      attributes: { everywhere: '', info: '' },
      limits: ports.limits,
      environment: run.environment,
      caches: [],
      ...(proxy === undefined ? {} : { network: proxy.network }),
    }),
  );
  let excess: string | undefined;
  const started = startLaunch(launch, {
    limits: ports.limits,
    hasInput: true,
    onExcess: (reason) => {
      excess ??= `used ${reason}`;
      started.kill();
    },
  });
  const { stdin, stdout, stderr } = started.child;
  if (stdin === null || stdout === null || stderr === null)
    throw new ServiceError('io', `${run.name} did not start`);
  const ended = started.ended.then(({ code, signal, error }) => {
    const found = launch.cgroup?.findExcess();
    if (excess ?? found) return excess ?? `used ${found}`;
    if (error !== undefined) return 'did not start';
    return signal === null ? `ended with ${started.exitCode() ?? code}` : `was ended by ${signal}`;
  });
  opened.defer(async () => {
    stdin.end();
    started.terminate();
    const timer = setTimeout(started.kill, Math.min(graceMs, ports.limits.graceMs));
    await ended.finally(() => clearTimeout(timer));
  });
  const owned = opened.move();
  return {
    ...{ input: stdin, output: stdout, errors: stderr, ended },
    seesTooMuch: async (signal) => {
      const now = withheldIn(await surveyAll({ folders, caller: { signal } }, survey));
      return [...now].some(([path, file]) => withheld.get(path) !== file);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Absolute path -> which file it is: a mask covers one, and none that takes its place. */
function withheldIn(roots: readonly SurveyedRoot[]): Map<string, string> {
  return new Map(
    roots.flatMap(({ folder, survey: { files, folders, stores, storeFiles } }) =>
      [...files, ...folders, ...stores, ...storeFiles].map((path): [string, string] => {
        const whole = join(folder, path);
        return [whole, identityOf(whole)];
      }),
    ),
  );
}

function shown({ program, reads = [] }: ServiceRun): FoundProgram {
  const folders = reads.map((folder) => ({ folder, from: 'user' as const, reads: [folder] }));
  return { ...program, around: [...(program.around ?? []), ...folders] };
}

const placedArgument = /^([a-z][a-z0-9-]*):(.*)$/s;

/** The root that an argument names, as the program has to be granted it. */
export function rootOfArgument(arg: string): string | undefined {
  return placedArgument.exec(arg)?.[1];
}

function placed(arg: string, tier: UsableSandbox['tier'], { folders }: ServiceRun): string {
  const [, name = '', path = ''] = placedArgument.exec(arg) ?? [];
  const folder = Object.hasOwn(folders, name) ? folders[name] : undefined;
  if (folder === undefined) return arg;
  const inside = tier === 'bubblewrap' ? rootPlace(name) : folder;
  return path === '' ? inside : `${inside}/${path}`;
}

function unconfined(name: string): ServiceError {
  return new ServiceError(
    'denied',
    `${name} needs the sandbox of the operating system, and config.toml says exec.sandbox = "none"`,
    '',
    'See what brings the sandbox with: cuervo doctor; then remove that line.',
  );
}
