import type { Authority, AuthorityRequest, Authorize } from '../../contracts/consent.ts';
import { type HostCaller, type HostServices, ServiceError } from '../../contracts/host-service.ts';
import { type FoundProgram, ProgramRefused } from '../../programs/exec/find-program.ts';
import { commandText } from '../../programs/exec/program-output.ts';
import { createProgramRunner, type ProgramPorts } from '../../programs/exec/run-program.ts';
import { GrantMissing } from '../../programs/git/repository-folder.ts';
import { programFacts } from '../../programs/lookup/look-up-program.ts';
import type { WorkspacePlace } from '../../programs/lookup/wanted-versions.ts';
import { checkVector, commandArgument, parseArguments } from './parse-arguments.ts';

export type ExecPorts = ProgramPorts & {
  authorize: Authorize;
  /** Asks a person for a grant that a git command lacks. @throws {ServiceError} `denied` */
  askGrant(
    request: Extract<AuthorityRequest, { capability: 'exec' }>,
    missing: GrantMissing,
    caller: HostCaller,
  ): Promise<void>;
  /** roots that the caller may read or write now: name -> absolute directory */
  rootsOf(caller: HostCaller): Promise<Readonly<Record<string, string>>>;
  /** @throws {ProgramRefused} see `lookUpProgram` */
  lookUp(program: string, place: WorkspacePlace, caller: HostCaller): Promise<FoundProgram>;
};

/**
 * Programs: the vector and nothing else is decided, found, confined and run. The sandbox is
 * looked for by the first command.
 */
export function createExecServices(ports: ExecPorts): HostServices<'exec'> {
  const runProgram = createProgramRunner(ports);
  return {
    'exec.run': async (args, caller) => {
      const [command] = parseArguments('exec.run', commandArgument, args);
      const { program, cwd, stdin } = command;
      const input = stdin === null || stdin === undefined ? {} : { stdin };
      const target = commandText([program, ...command.args]);
      try {
        checkVector(program, command.args, stdin ?? undefined);
        const folders = await ports.rootsOf(caller);
        const found = await lookIn(ports, program, { folders, cwd }, caller);
        // An invalid name cannot be granted, so no person is asked.
        if (found instanceof ProgramRefused && found.tag === 'invalid') throw refusal(found);
        const request = {
          capability: 'exec' as const,
          program,
          args: command.args,
          cwd,
          ...input,
        };
        const authority = await ports.authorize(
          found instanceof ProgramRefused ? request : { ...request, ...programFacts(found) },
          caller,
          () => ports.changes.foresee(folders),
        );
        if (found instanceof ProgramRefused) throw refusal(found);
        checkVector(program, authority.args);
        const run = { ...command, ...authority, stdin: stdin ?? undefined, folders, caller };
        const value = await runAsking((more) => runProgram(found, { ...run, ...more }), {
          ...authority,
          ask: (missing) => ports.askGrant({ ...request, args: authority.args }, missing, caller),
        });
        const bytes = Buffer.byteLength(value.stdout) + Buffer.byteLength(value.stderr);
        return { value, target: commandText([program, ...authority.args]), bytes };
      } catch (thrown) {
        if (!(thrown instanceof ServiceError)) throw thrown;
        throw new ServiceError(thrown.tag, thrown.message, target, thrown.hint);
      }
    },
  };
}

type GitGrants = Pick<Authority, 'filters' | 'repositories'>;

/** Runs a program; each time a person gives a grant that it lacked, runs it again. */
async function runAsking<Value>(
  run: (held: GitGrants) => Promise<Value>,
  {
    filters = [],
    repositories = [],
    ask,
  }: GitGrants & { ask(missing: GrantMissing): Promise<void> },
): Promise<Value> {
  try {
    return await run({ filters, repositories });
  } catch (thrown) {
    if (!(thrown instanceof GrantMissing)) throw thrown;
    await ask(thrown);
    const { capability, detail = '' } = thrown.grant;
    const given =
      capability === 'filter'
        ? { filters: [...filters, detail], repositories }
        : { filters, repositories: [...repositories, detail] };
    return await runAsking(run, { ...given, ask });
  }
}

/**
 * Looks the program up before a person is asked. Only a caller who may run it learns the result.
 */
async function lookIn(
  ports: Pick<ExecPorts, 'lookUp'>,
  program: string,
  place: WorkspacePlace,
  caller: HostCaller,
): Promise<FoundProgram | ProgramRefused> {
  try {
    return await ports.lookUp(program, place, caller);
  } catch (thrown) {
    if (thrown instanceof ProgramRefused) return thrown;
    throw thrown;
  }
}

function refusal({ tag, message, hint: own }: ProgramRefused): ServiceError {
  const hint = 'No grant allows it: cuervo runs only programs that the system installed.';
  return new ServiceError(tag, message, '', own ?? (tag === 'denied' ? hint : undefined));
}
