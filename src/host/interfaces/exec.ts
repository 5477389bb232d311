import { join } from 'node:path';
import type { Authorize } from '../../contracts/authority.ts';
import { type HostCaller, type HostService, ServiceError } from '../../contracts/host-service.ts';
import type { OutputOwner, OutputSink } from '../../contracts/kept-outputs.ts';
import { wrongOrigin } from '../../contracts/origin.ts';
import { protectAlso } from '../below/protected-check.ts';
import { commandText } from '../exec/command-text.ts';
import type { ExecLimits } from '../exec/exec-limits.ts';
import { type FoundProgram, findProgram, ProgramRefused } from '../exec/find-program.ts';
import type { SandboxTier } from '../exec/find-sandbox.ts';
import { openProgramProxy } from '../exec/open-program-proxy.ts';
import { type LaunchPlan, planLaunch } from '../exec/plan-launch.ts';
import { resolveCwd } from '../exec/resolve-cwd.ts';
import { runLaunch } from '../exec/run-launch.ts';
import { createSurveyor, type RootSurvey } from '../exec/survey-root.ts';
import { withholdPlanted } from '../exec/withhold-planted.ts';
import { createGitHardener } from '../git/create-git-hardener.ts';
import { subcommandAt } from '../git/harden-git.ts';
import { markMasked } from '../git/mark-masked.ts';
import { readConfiguration } from '../git/read-configuration.ts';
import { repositoryFolder } from '../git/repository-folder.ts';
import { unnamedContents } from '../git/unnamed-contents.ts';
import { withheldAttributes } from '../git/withheld-attributes.ts';
import type { ResolveHost } from '../http/resolve-addresses.ts';
import type { ChangeWatcher } from '../snapshot/watch-changes.ts';
import { parseArguments } from './parse-arguments.ts';
import { checkVector, commandArgument } from './parse-command.ts';

export type ExecPorts = {
  authorize: Authorize;
  /** roots that the caller may read or write now: name -> absolute directory */
  rootsOf(caller: HostCaller): Promise<Readonly<Record<string, string>>>;
  /** root name -> paths below it that are withheld beside the default list */
  protectedPaths: Readonly<Record<string, readonly string[]>>;
  /** `CUERVO_HOME`, hidden from every program */
  home: string;
  /** what programs are confined by; asked by the first command */
  sandbox(): Promise<SandboxTier>;
  /** finds what programs change, so that it can be taken back */
  changes: ChangeWatcher;
  /** tells a person one sentence */
  warn(text: string): void;
  /** settings of the user's own that a commit needs, as `user.name=…`; asked for once */
  gitIdentity(): Promise<readonly string[]>;
  limits: ExecLimits;
  /** keeps what a program of a run prints, where it is long */
  keepOutput(owner: OutputOwner): Promise<OutputSink>;
  /** looks up the hosts that programs talk to */
  resolve: ResolveHost;
};

/**
 * Programs: the vector and nothing else is decided, found, confined and run. The sandbox is
 * looked for by the first command.
 */
export function createExecServices(ports: ExecPorts): [string, HostService][] {
  const isProtected = protectAlso(ports.protectedPaths);
  const survey = createSurveyor(isProtected);
  const harden = createGitHardener(ports.gitIdentity);
  const masks = join(ports.home, 'sandbox');
  const attributes = withheldAttributes(ports.protectedPaths);
  return [
    [
      'exec.run',
      async (args, caller) => {
        const [command] = parseArguments('exec.run', commandArgument, args);
        const { program, cwd, stdin } = command;
        const input = stdin === null || stdin === undefined ? {} : { stdin };
        const target = commandText([program, ...command.args]);
        try {
          checkVector(program, command.args, stdin ?? undefined);
          const folders = await ports.rootsOf(caller);
          const found = look(program, [...Object.values(folders), ports.home]);
          // What is no name could be no grant either; nobody is asked about it.
          if (found instanceof ProgramRefused && found.tag === 'invalid') throw refusal(found);
          const request = {
            capability: 'exec' as const,
            program,
            args: command.args,
            cwd,
            ...input,
          };
          const authority = await ports.authorize(
            found instanceof ProgramRefused ? request : { ...request, ...flag(found) },
            caller,
            () => ports.changes.foresee(folders),
          );
          if (found instanceof ProgramRefused) throw refusal(found);
          checkVector(program, authority.args);
          const value = await execute(found, {
            ...command,
            ...authority,
            stdin: stdin ?? undefined,
            folders,
            caller,
          });
          const bytes = Buffer.byteLength(value.stdout) + Buffer.byteLength(value.stderr);
          return { value, target: commandText([program, ...authority.args]), bytes };
        } catch (thrown) {
          if (!(thrown instanceof ServiceError)) throw thrown;
          throw new ServiceError(thrown.tag, thrown.message, target, thrown.hint);
        }
      },
    ],
  ];

  async function execute(found: FoundProgram, run: Run) {
    const tier = await confined(ports.sandbox);
    const at = resolveCwd(run.cwd, run.folders, isProtected);
    const before = await surveyAll(run.folders);
    const find = await watch(run, tier);
    const isGit = run.program === 'git';
    const linked = isGit ? before.filter(isPointedInto).map(({ name }) => name) : [];
    const plan = { run, program: found, at, roots: before, linked };
    // What is asked of git ahead of a command is not the command's output.
    const ahead = (args: readonly string[], stdin?: string) =>
      launchOnce(tier, { ...plan, args, stdin });
    try {
      const isConfigMasked = tier.tier === 'bubblewrap' && before.every(masksConfig);
      const configuration = isGit
        ? readConfiguration(run.folders[at.root] ?? '', at.segments)
        : undefined;
      const { args, isSha256 } = isGit
        ? await harden(run.args, ahead, { isConfigMasked, configuration: configuration?.text })
        : { args: run.args, isSha256: false };
      const sha256Configs =
        isSha256 && configuration !== undefined
          ? [{ root: at.root, path: configuration.path }]
          : [];
      if (isGit && run.readOnly) {
        await refuseUnnamed(run.args, (command, names) =>
          launchOnce(tier, { ...plan, sha256Configs, args: command, stdin: names }),
        );
      }
      using proxy = await openProxy(run, tier);
      using marked = markMasked(comparedBy(run, tier), before, masks);
      const tell = (line: string): void => run.caller.tell?.(`${run.program}: ${line}`);
      const { stdin } = run;
      const sink = await sinkOf(run);
      const more = {
        ...{ indexes: marked.indexes, sha256Configs, stdin, tell, sink },
        network: proxy?.network,
      };
      return await launchOnce(tier, { ...plan, ...more, args });
    } finally {
      try {
        if (!run.readOnly || tier.tier === 'none') await withholdAll(run, before);
      } finally {
        for (const text of await find()) ports.warn(`cannot be undone: ${text}`);
      }
    }
  }

  /** A call that belongs to no run has nobody who could ask for it. */
  async function sinkOf({ program, caller }: Run): Promise<OutputSink | undefined> {
    const { run, step, plugin } = caller;
    if (run === undefined || step === undefined) return undefined;
    return await ports.keepOutput({ run, step, plugin, program });
  }

  /** Undefined for a program that was granted no origin, or is known to need none. */
  async function openProxy(run: Run, tier: SandboxTier) {
    const { origins, caller } = run;
    if (origins.length === 0 || run.readOnly || tier.tier !== 'bubblewrap') return undefined;
    const { forwarder } = tier;
    if (forwarder === undefined) {
      const text = `program "${run.program}" has no network, because socat is not installed`;
      ports.warn(`${text}: ${tier.forwarderFix}`);
      return undefined;
    }
    const refused = new Set<string>();
    const proxy = await openProgramProxy({
      origins,
      resolve: ports.resolve,
      note: (call) => {
        caller.note?.(call);
        if (call.outcome === 'denied') refused.add(call.target);
      },
    });
    return {
      network: { socket: proxy.socket, forwarder, origins },
      [Symbol.dispose]: () => {
        proxy[Symbol.dispose]();
        for (const origin of [...refused].slice(0, maxToldRefusals)) tellRefusal(run, origin);
      },
    };
  }

  /** What a program prints of it is its own affair; a person learns how to grant it. */
  function tellRefusal({ program, caller, origins }: Run, origin: string): void {
    if (wrongOrigin(origin) !== undefined || origins.includes(origin)) return;
    const text = `program "${program}" was kept from ${origin}`;
    ports.warn(`${text}; cuervo plugin grant ${caller.plugin} http:${origin} lets it`);
  }

  /** Nothing is looked for where a reader can write nothing. */
  async function watch(run: Run, { tier }: SandboxTier): Promise<() => Promise<string[]>> {
    if (run.readOnly && tier !== 'none') return async () => [];
    const { program, folders, caller } = run;
    const { run: id, step } = caller;
    return await ports.changes.watch(folders, {
      ...{ run: id, step, program },
      isUnconfined: tier === 'none',
    });
  }

  async function launchOnce(
    tier: Exclude<SandboxTier, { tier: 'missing' }>,
    plan: Pick<LaunchPlan, 'program' | 'args' | 'at' | 'roots' | 'linked'> & {
      run: Run;
      stdin?: string | undefined;
      network?: LaunchPlan['network'] | undefined;
      indexes?: NonNullable<LaunchPlan['indexes']>;
      sha256Configs?: NonNullable<LaunchPlan['sha256Configs']>;
      tell?: (line: string) => void;
      sink?: OutputSink | undefined;
    },
  ) {
    const { run, stdin, network, tell, sink, ...rest } = plan;
    const launch = planLaunch(tier, {
      ...rest,
      ...(network === undefined ? {} : { network }),
      readOnly: run.readOnly,
      writesRepositories: run.program === 'git',
      home: ports.home,
      masks,
      attributes,
      limits: ports.limits,
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

  async function surveyAll(folders: Readonly<Record<string, string>>): Promise<SurveyedRoot[]> {
    const roots: SurveyedRoot[] = [];
    for (const [name, folder] of Object.entries(folders)) {
      roots.push({ name, folder, survey: await survey(name, folder) });
    }
    return roots;
  }

  /** @throws {ServiceError} `denied` when the program left something to obey */
  async function withholdAll(run: Run, before: readonly SurveyedRoot[]): Promise<void> {
    for (const root of before) {
      const after = await survey(root.name, root.folder, 'compare');
      const [first, ...more] = withholdPlanted(root.folder, root.survey, after);
      if (first === undefined) continue;
      const others = more.length === 0 ? '' : ` and ${more.length} more`;
      const text = `program "${run.program}" made ${root.name}:${first}${others}, which later commands would obey; it was renamed to end in .withheld`;
      const hint = 'Look at it, and where you want it, give it its name by hand.';
      throw new ServiceError('denied', text, '', hint);
    }
  }
}

/** Origins of which a person is told behind one program. */
const maxToldRefusals = 3;

/**
 * A git that only looks shows a file by its path, so that a withheld one is known.
 *
 * @throws {ServiceError} `denied` for the hash of a file's content
 */
async function refuseUnnamed(
  args: readonly string[],
  run: (args: readonly string[], stdin: string) => Promise<{ stdout: string }>,
): Promise<void> {
  const before = args.slice(0, subcommandAt(args));
  const ask = [...before, '--no-pager', 'cat-file', '--batch-check=%(objecttype)'];
  const [found] = await unnamedContents(args, async (names) => {
    const { stdout } = await run(ask, names.map((name) => `${name}\n`).join(''));
    return stdout.split('\n');
  });
  if (found === undefined) return;
  const text = `"${found}" is the content of a file, and git tells not of which`;
  throw new ServiceError('denied', text, '', 'Name it as COMMIT:PATH, as in HEAD:src/index.ts.');
}

/** The subcommand of a git that meets masks. */
function comparedBy({ program, args }: Run, { tier }: SandboxTier): string | undefined {
  return program === 'git' && tier === 'bubblewrap' ? args[subcommandAt(args)] : undefined;
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

type SurveyedRoot = { name: string; folder: string; survey: RootSurvey };

type Run = {
  program: string;
  args: readonly string[];
  cwd: string;
  stdin: string | undefined;
  timeoutMs: number;
  maxOutputBytes: number;
  readOnly: boolean;
  origins: readonly string[];
  folders: Readonly<Record<string, string>>;
  caller: HostCaller;
};

/** Looked for before anybody is asked, and told only to those who may run it. */
function look(program: string, withheld: readonly string[]): FoundProgram | ProgramRefused {
  try {
    return findProgram(program, withheld);
  } catch (thrown) {
    if (thrown instanceof ProgramRefused) return thrown;
    throw thrown;
  }
}

function refusal({ tag, message }: ProgramRefused): ServiceError {
  const hint = 'No grant opens it: a program is run where the system has installed it.';
  return new ServiceError(tag, message, '', tag === 'denied' ? hint : undefined);
}

function flag({ replaceable }: FoundProgram): { replaceable?: true } {
  return replaceable ? { replaceable } : {};
}

/** A guest's number, where it is above 0 and below ours. */
function atMost(asked: number, limit: number): number {
  return asked === 0 ? limit : Math.min(asked, limit);
}

/** @throws {ServiceError} `denied` with the command that brings a sandbox */
async function confined(
  sandbox: () => Promise<SandboxTier>,
): Promise<Exclude<SandboxTier, { tier: 'missing' }>> {
  const tier = await sandbox();
  if (tier.tier !== 'missing') return tier;
  const text = `programs run in the sandbox of the operating system only, and ${tier.reason}: ${tier.fix}`;
  throw new ServiceError('denied', text, '', 'Do so, and look at it with: cuervo doctor');
}
