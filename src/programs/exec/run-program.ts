import { join } from 'node:path';
import { createContentGate } from '../../contracts/content-gate.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import type { OutputOwner, OutputSink } from '../../contracts/kept-outputs.ts';
import type { ResolveHost } from '../../http/resolve-addresses.ts';
import { showRaw } from '../../lib/files/raw-fs.ts';
import { once } from '../../lib/memo.ts';
import {
  onlyWay,
  type RemoteCommand,
  remoteCommand,
  remotePlugin,
  subcommandAt,
} from '../git/command-line.ts';
import { credentialVariables, type GitCredential } from '../git/git-settings.ts';
import { createGitHardener, readsFilesAlone } from '../git/harden-git.ts';
import {
  createContentWithholder,
  refuseWithheld,
  withExactRenames,
} from '../git/leave-out-withheld.ts';
import { markMasked } from '../git/mark-masked.ts';
import { findStarted, openGitRun, withPerson } from '../git/open-git-run.ts';
import { openSsh, type SshPorts, sshVariables } from '../git/open-ssh.ts';
import type { GitPlace } from '../git/outer-repository.ts';
import { type AskGit, refuseUnsigned } from '../git/person-git.ts';
import { repositoryFolder, safeFolders } from '../git/repository-folder.ts';
import { listed } from '../snapshot/walk-root.ts';
import type { ChangeWatcher } from '../snapshot/watch-changes.ts';
import { rootPlace } from './bwrap-arguments.ts';
import type { FoundProgram } from './find-program.ts';
import { type ProgramSandbox, type UsableSandbox, usableSandbox } from './find-sandbox.ts';
import { type ResolvedCwd, resolveCwd } from './granted-target.ts';
import type { ExecLimits } from './launch-scripts.ts';
import { withholdPlanted } from './mask-sources.ts';
import { openProgramNetwork, tellUnreached } from './open-program-proxy.ts';
import { type LaunchPlan, planLaunch, programCaches } from './plan-launch.ts';
import { clearPowers } from './program-filter.ts';
import { type ProgramRun, runLaunch, type SurveyedRoot } from './run-launch.ts';
import { createSurveyor } from './survey-root.ts';

export type ProgramPorts = {
  /** root name -> paths below it that are withheld beside the default list */
  protectedPaths: Readonly<Record<string, readonly string[]>>;
  /** `CUERVO_HOME`, hidden from every program */
  home: string;
  /** what programs are confined by; asked by the first command */
  sandbox(): Promise<ProgramSandbox>;
  /** finds what programs change, so that it can be taken back */
  changes: ChangeWatcher;
  /** tells a person one sentence */
  warn(text: string): void;
  /** the person's own git */
  askGit: AskGit;
  /** absolute: the attributes that count for it where no setting names others */
  gitAttributesFile: string;
  /** the user's own `safe.directory`: absolute paths, or `*`; asked for once */
  gitSafeFolders(): Promise<readonly string[]>;
  /** what the user's own `credential.helper` says of an address */
  gitCredential(url: URL): Promise<GitCredential | undefined>;
  /** what a login by ssh needs of the user; throws where it is missing */
  gitSsh(): Omit<SshPorts, 'note'>;
  limits: ExecLimits;
  /** keeps what a program of a run prints, where it is long */
  keepOutput(owner: OutputOwner): Promise<OutputSink>;
  /** looks up the hosts that programs talk to */
  resolve: ResolveHost;
};

export type ProgramOutcome = Awaited<ReturnType<typeof runLaunch>>;

/** Runs programs that were allowed: surveyed, confined, watched, their traces withheld. */
export function createProgramRunner(
  ports: ProgramPorts,
): (found: FoundProgram, run: ProgramRun) => Promise<ProgramOutcome> {
  const gate = createContentGate(ports.protectedPaths);
  const { isProtected } = gate;
  const survey = createSurveyor(isProtected);
  const harden = createGitHardener();
  const ownSafeFolders = once(ports.gitSafeFolders);
  const masks = masksIn(ports.home);
  const launchOnce = (tier: UsableSandbox, plan: OncePlan) => launchProgram(ports, tier, plan);
  const withhold = createContentWithholder(ports.protectedPaths);
  return runProgram;

  async function runProgram(looked: FoundProgram, run: ProgramRun): Promise<ProgramOutcome> {
    const startedMs = Date.now();
    // A reader needs nothing but the system.
    const found = run.readOnly ? { ...looked, around: [] } : looked;
    const tier = usableSandbox(await ports.sandbox());
    const at = resolveCwd(run.cwd, run.folders, isProtected);
    const inside = await surveyAll(run, survey);
    const isGit = run.program === 'git';
    if (isGit) refuseStarted(run.args);
    const remote = remoteOf(run);
    const isConfined = tier.tier === 'bubblewrap';
    using git = isGit
      ? await openGitRun(run, at, { ...ports, survey, masks, isConfined })
      : undefined;
    const { place, person, configuration } = git ?? {};
    const before = [...inside, ...(git?.outerRoots ?? [])];
    using ssh = await openSshOf(run, tier, remote, ports);
    const linked = isGit ? before.filter(isPointedInto) : before.filter(isNamedIn(found));
    const plan = {
      run,
      program: found,
      at,
      roots: before,
      linked: [...linked.map(({ name }) => name), ...(git?.linked ?? [])],
      indexes: git?.pointers ?? [],
      attributes: withPerson(withhold.attributes(place), person?.attributes),
    };
    // Questions to git ahead of a command are not the command's output.
    const unbound = { ...run, maxOutputBytes: 0 };
    const ahead = (args: readonly string[], stdin?: string) =>
      launchOnce(tier, { ...plan, run: unbound, args, stdin });
    const find = await watch(run, tier, ports, remote);
    try {
      const isConfigMasked = isConfined && before.every(masksConfig);
      const asked = place === undefined ? run.args : withhold.leaveOut(run.args, place);
      const settings = isGit ? ownSettings(await ownSafeFolders(), run, tier, remote) : [];
      const hardened = (command: readonly string[], filters = person?.filters.settings ?? []) =>
        harden(command, ahead, {
          ...{ isConfigMasked, configuration: configuration?.text, settings, filters },
        });
      const { args, isSha256 } = isGit ? await hardened(asked) : { args: asked, isSha256: false };
      const sha256Configs =
        isSha256 && configuration !== undefined
          ? [{ root: configuration.root, path: configuration.path }]
          : [];
      const look = async (command: readonly string[], stdin?: string) => {
        const { args: words } = await hardened(command, []);
        return await launchOnce(tier, { ...plan, run: unbound, sha256Configs, args: words, stdin });
      };
      if (place !== undefined) {
        await refuseWithheld(run.args, place, folderOf(place, run), gate, (command, names) =>
          launchOnce(tier, { ...plan, sha256Configs, args: command, stdin: names }),
        );
      }
      if (person !== undefined && !run.readOnly) refuseUnsigned(person.settings, run.args);
      await person?.filters.refuseWrites(look);
      if (!run.readOnly) await person?.filters.settle();
      if (remote !== undefined && !isConfigMasked) throw notMasked(remote.subcommand);
      // A git without an origin is kept from its remotes before it starts.
      const isAlone = ssh !== undefined || (isGit && run.origins.length === 0);
      using proxy = isAlone ? undefined : await openProgramNetwork(run, tier, ports);
      const environment = {
        ...(await person?.identity()),
        ...(ssh?.variables ?? (await credentialOf(run, remote, ports))),
      };
      const unfiltered = isConfined ? await person?.filters.unfiltered(look) : undefined;
      using marked = markMasked(comparedBy(run, tier), before, masks, {
        ...{
          root: at.root,
          path: join(...(place?.top ?? []), '.git'),
          outer: git?.outerRoots[0]?.name,
        },
        unfiltered: new Set(unfiltered?.keys()),
      });
      const tell = (line: string): void => run.caller.tell?.(`${run.program}: ${line}`);
      const sink = await sinkOf(run, ports);
      const indexes = [...plan.indexes, ...marked.indexes];
      const more = {
        ...{ indexes, sha256Configs, stdin: run.stdin, tell, sink },
        infos: git?.infos ?? [],
        isOfFiles: place && readsFilesAlone(run.args, folderOf(place, run), place),
        network: proxy?.network,
        sshSocket: ssh?.socket,
        environment,
      };
      const change = place && withhold.changed(run.args, place);
      const bound = await withBoundRenames(args, change, hardened, (each) =>
        launchOnce(tier, { ...plan, indexes, sha256Configs, args: each }),
      );
      const done = await launchOnce(tier, { ...plan, ...more, args: bound });
      person?.filters.refuseMissed(done);
      if (isConfined && !isGit && proxy?.hasRefused() !== true) tellUnreached(run, done, ports);
      const untold = marked.untold
        .map((path) => `filter not run: ${JSON.stringify(path)} (${unfiltered?.get(path)?.name})\n`)
        .join('');
      return { ...done, stderr: (ssh?.errors() ?? '') + untold + done.stderr };
    } finally {
      try {
        if (!run.readOnly || tier.tier === 'none') {
          await clearAll(run, startedMs, ports);
          await withholdAll(run, before, survey);
        }
      } finally {
        for (const text of await find()) ports.warn(`cannot be undone: ${text}`);
      }
    }
  }
}

/** Files to mount over protected names. */
export function masksIn(home: string): string {
  return join(home, 'sandbox');
}

type OncePlan = Pick<LaunchPlan, 'program' | 'args' | 'roots' | 'linked' | 'attributes'> & {
  at: ResolvedCwd;
  run: ProgramRun;
  stdin?: string | undefined;
  network?: LaunchPlan['network'] | undefined;
  indexes?: NonNullable<LaunchPlan['indexes']>;
  infos?: NonNullable<LaunchPlan['infos']>;
  sha256Configs?: NonNullable<LaunchPlan['sha256Configs']>;
  isOfFiles?: boolean | undefined;
  tell?: (line: string) => void;
  sink?: OutputSink | undefined;
  environment?: LaunchPlan['environment'] | undefined;
  sshSocket?: string | undefined;
};

async function launchProgram(
  ports: Pick<ProgramPorts, 'home' | 'limits'>,
  tier: UsableSandbox,
  plan: OncePlan,
) {
  const { run, stdin, network, tell, sink, environment, sshSocket, isOfFiles, ...rest } = plan;
  const launch = planLaunch(tier, {
    ...rest,
    ...(environment === undefined ? {} : { environment }),
    ...(network === undefined ? {} : { network }),
    ...(sshSocket === undefined ? {} : { sshSocket }),
    readOnly: run.readOnly,
    writesRepositories: run.program === 'git' && isOfFiles !== true,
    home: ports.home,
    masks: masksIn(ports.home),
    limits: ports.limits,
    caches:
      run.readOnly || run.program === 'git' || tier.tier !== 'bubblewrap'
        ? []
        : programCaches(ports.home, run.folders[plan.at.root] ?? ''),
  });
  try {
    return await runLaunch(launch, {
      shown: `program "${run.program}"`,
      stdin,
      timeoutMs: atMost(run.timeoutMs, ports.limits.timeoutMs),
      maxOutputBytes: atMost(run.maxOutputBytes, ports.limits.outputBytes),
      limits: ports.limits,
      signal: run.caller.signal,
      tell,
      sink,
    });
  } finally {
    launch[Symbol.dispose]();
  }
}

/** Tells a person which files lost the rights that a program gave to whoever starts them. */
export async function clearAll(
  { program, folders }: Pick<ProgramRun, 'program' | 'folders'>,
  sinceMs: number,
  { warn }: Pick<ProgramPorts, 'warn'>,
): Promise<void> {
  for (const [root, folder] of Object.entries(folders)) {
    const cleared = await clearPowers(folder, sinceMs);
    if (cleared.length === 0) continue;
    warn(
      `program "${program}" left files in ${root} that would run with your rights for whoever starts them; these rights were taken away: ${listed(cleared)}`,
    );
  }
}

/** @throws {ServiceError} `denied` when the program left something to obey */
export async function withholdAll(
  run: Pick<ProgramRun, 'program'>,
  before: readonly SurveyedRoot[],
  survey: ReturnType<typeof createSurveyor>,
): Promise<void> {
  for (const root of before) {
    const after = await survey(root.name, root.folder, 'compare');
    const [first, ...more] = withholdPlanted(root.folder, root.survey, after);
    if (first === undefined) continue;
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    const text = `program "${run.program}" made ${root.name}:${showRaw(first)}${others}, which later commands would obey; it was renamed to end in .withheld`;
    const hint = 'Look at it, and where you want it, give it its name by hand.';
    throw new ServiceError('denied', text, '', hint);
  }
}

function folderOf({ root }: GitPlace, { folders }: ProgramRun): string {
  return folders[root] ?? '';
}

/** @param change of `changeOfWithheld` */
async function withBoundRenames(
  args: readonly string[],
  change: readonly string[] | undefined,
  harden: (args: readonly string[]) => Promise<{ args: string[] }>,
  launch: (args: readonly string[]) => Promise<ProgramOutcome>,
): Promise<readonly string[]> {
  if (change === undefined) return args;
  const { exitCode } = await launch((await harden(change)).args);
  return exitCode === 0 ? args : withExactRenames(args);
}

/** @throws {ServiceError} `denied` for a command line of git that starts another program */
function refuseStarted(args: readonly string[]): void {
  const started = findStarted(args);
  if (started !== undefined) throw new ServiceError('denied', started.text, '', started.hint);
}

export async function surveyAll(
  { folders, caller }: { folders: ProgramRun['folders']; caller: { signal: AbortSignal } },
  survey: ReturnType<typeof createSurveyor>,
): Promise<SurveyedRoot[]> {
  const roots: SurveyedRoot[] = [];
  for (const [name, folder] of Object.entries(folders)) {
    roots.push({ name, folder, survey: await survey(name, folder, 'mask', caller.signal) });
  }
  return roots;
}

/** A call without a run has no reader of its output. */
async function sinkOf(
  { program, caller }: ProgramRun,
  ports: Pick<ProgramPorts, 'keepOutput'>,
): Promise<OutputSink | undefined> {
  const { run, step, plugin } = caller;
  if (run === undefined || step === undefined) return undefined;
  return await ports.keepOutput({ run, step, plugin, program });
}

/** A reader can write nothing, so nothing is compared. */
async function watch(
  run: ProgramRun,
  { tier }: ProgramSandbox,
  ports: Pick<ProgramPorts, 'changes'>,
  remote: RemoteCommand | undefined,
): Promise<() => Promise<string[]>> {
  if (run.readOnly && tier !== 'none') return async () => [];
  const { program, folders, caller } = run;
  const { run: id, step } = caller;
  return await ports.changes.watch(folders, {
    ...{ run: id, step, program },
    isUnconfined: tier === 'none',
    lasting: remote?.subcommand === 'push' ? [`what it pushed to ${remote.name} stays there`] : [],
  });
}

/** The user's credential for a granted origin; undefined when there is none. */
async function credentialOf(
  { origins }: ProgramRun,
  remote: RemoteCommand | undefined,
  ports: Pick<ProgramPorts, 'gitCredential'>,
): Promise<Record<string, string> | undefined> {
  if (remote?.way !== 'web' || !origins.includes(remote.url.origin)) return undefined;
  const credential = await ports.gitCredential(remote.url);
  return credential && credentialVariables(remote.url, credential);
}

/** Settings of the user's own for git, and the one way that it may go. */
function ownSettings(
  safe: readonly string[],
  { folders }: ProgramRun,
  { tier }: ProgramSandbox,
  remote: RemoteCommand | undefined,
): string[] {
  const placeOf = (name: string): string =>
    tier === 'bubblewrap' ? rootPlace(name) : (folders[name] ?? '');
  return [...(remote === undefined ? [] : onlyWay(remote)), ...safeFolders(safe, folders, placeOf)];
}

/**
 * The way to a host of ssh, and what tells git of it; undefined for any other command.
 *
 * @throws {ServiceError} `denied` for a host that was not granted, `unavailable` without what it needs
 */
async function openSshOf(
  { sshHosts = [], caller }: ProgramRun,
  tier: ProgramSandbox,
  remote: RemoteCommand | undefined,
  ports: Pick<ProgramPorts, 'gitSsh'>,
): Promise<
  (Awaited<ReturnType<typeof openSsh>> & { variables: Record<string, string> }) | undefined
> {
  if (remote?.way !== 'ssh' || tier.tier !== 'bubblewrap') return undefined;
  if (!sshHosts.includes(remote.host))
    throw new ServiceError('denied', `${remote.name} was not granted`);
  const { forwarder } = tier;
  if (forwarder === undefined) {
    const text = 'git reaches no host by ssh, because socat is not installed';
    throw new ServiceError('io', text, '', tier.forwarderFix);
  }
  const opened = await openSsh(remote, {
    ...ports.gitSsh(),
    note: (call) => caller.note?.(call),
  });
  return { ...opened, variables: sshVariables(forwarder) };
}

/** Its configuration could send git, and with it a credential, to another server. */
function notMasked(subcommand: string): ServiceError {
  const text = `git ${subcommand} needs the sandbox of the operating system, which keeps the configuration of the repository away from it`;
  return new ServiceError('denied', text, '', 'See what is missing with: cuervo doctor');
}

/** The subcommand of a git that meets masks. */
function comparedBy({ program, args }: ProgramRun, { tier }: ProgramSandbox): string | undefined {
  return program === 'git' && tier === 'bubblewrap' ? args[subcommandAt(args)] : undefined;
}

/** The remote that the plugin `git` asks for. */
function remoteOf({ program, caller, args }: ProgramRun): RemoteCommand | undefined {
  return program === 'git' && caller.plugin === remotePlugin ? remoteCommand(args) : undefined;
}

/** Whether no repository of a root shows its configuration to a program. */
function masksConfig({ survey }: SurveyedRoot): boolean {
  const masked = new Set(survey.files);
  return survey.repositories.every((path) => masked.has(`${path}/config`));
}

/** Whether a linked work tree of the root names its repository by a path from the top. */
function isPointedInto({ folder, survey }: SurveyedRoot): boolean {
  return survey.repositories.some((path) => repositoryFolder(folder, path)?.isAbsolute);
}

/** Whether programs of a root are found in it: scripts of theirs name it by its path from the top. */
function isNamedIn({ around = [] }: FoundProgram): (root: SurveyedRoot) => boolean {
  return ({ name }) => around.some(({ below }) => below?.root === name);
}

/** A guest's number, where it is above 0 and below ours. */
function atMost(asked: number, limit: number): number {
  return asked === 0 ? limit : Math.min(asked, limit);
}
