import type { Config } from '../../contracts/config.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import type { HostCaller } from '../../contracts/host-service.ts';
import type { Store } from '../../contracts/store.ts';
import type { ExecPorts } from '../../host/interfaces/exec.ts';
import { protectedBelow, realPath } from '../../lib/files/paths.ts';
import { sayOnce } from '../../lib/memo.ts';
import { type FoundProgram, ProgramRefused } from '../../programs/exec/find-program.ts';
import {
  lookUpProgram,
  ownBefore,
  type ProgramSearch,
  shownReads,
} from '../../programs/lookup/look-up-program.ts';
import type { WorkspacePlace } from '../../programs/lookup/wanted-versions.ts';
import type { CommandRules } from '../consent/command-rules.ts';
import type { KernelOptions } from '../kernel-options.ts';

/** A rule that allows `--version` does not make a program a reader. */
const versionRule = /^version-/;

export type ProgramLookUp = {
  /** looks a program up; asks a person once about `PATH` if only that would find it */
  lookUp: ExecPorts['lookUp'];
  /** the same without a question */
  lookUpNow(program: string, place: WorkspacePlace): FoundProgram;
};

type Mode = 'system' | 'user';

const settingKey = 'programs.path';
const way = 'where cuervo looks with this line in config.toml: programs.path = "user"';

/** Looks programs up as the configuration says; a faulty `PATH` is reported once. */
export function createProgramLookUp(ports: {
  config: Config;
  commandRules: CommandRules;
  store(): Promise<Pick<Store, 'getSetting' | 'setSetting'>>;
  askYesNo: KernelOptions['askYesNo'];
  warn(text: string): void;
}): ProgramLookUp {
  const { config, commandRules, askYesNo } = ports;
  const { userPath, virtualEnv } = config.programs;
  let mode: Mode | undefined = config.programs.path;
  const warn = sayOnce(ports.warn);
  const isReader = (name: string): boolean => {
    try {
      return readersOf(commandRules).has(name);
    } catch {
      // Unreadable rules stop every program, so the answer does not matter.
      return true;
    }
  };
  const { isProtected } = createContentGate(protectedBelow(config));
  const searchOf = (path: Mode, place: WorkspacePlace): ProgramSearch => ({
    ...place,
    virtualEnv,
    isReader,
    isProtected,
    userPath: path === 'user' ? userPath : undefined,
    withheld: [realPath(config.home)],
    warn,
  });
  const lookIn = (path: Mode, program: string, place: WorkspacePlace): FoundProgram =>
    lookUpProgram(program, searchOf(path, place));

  /** The person's earlier answer; undefined if they were not asked. */
  const keptMode = async (): Promise<Mode | undefined> => {
    const kept = (await ports.store()).getSetting(settingKey);
    return kept?.mode === 'user' || kept?.mode === 'system' ? kept.mode : undefined;
  };

  const offer = async (
    program: string,
    found: FoundProgram,
    why: string,
    caller: HostCaller,
  ): Promise<Mode | undefined> => {
    if (askYesNo === undefined || caller.rehearsal !== undefined) return undefined;
    const ask = () => askYesNo(offerText(program, found, why), { signal: caller.signal });
    const yes = await (caller.whileWaiting?.(ask) ?? ask());
    if (yes === undefined) return undefined;
    const said: Mode = yes ? 'user' : 'system';
    (await ports.store()).setSetting(settingKey, { mode: said });
    return said;
  };

  /** Asks a person which program a name means: the system's, or another one earlier in `PATH`. */
  const preferOwn = async (
    program: string,
    found: FoundProgram,
    place: WorkspacePlace,
    caller: HostCaller,
  ): Promise<FoundProgram> => {
    if (found.own !== undefined || isReader(program)) return found;
    const own = ownBefore(program, found.path, userPath, searchOf('user', place));
    if (own === undefined) return found;
    const asked = askYesNo === undefined ? undefined : inPath(() => lookIn('user', program, place));
    if (asked !== undefined) {
      mode = await offer(program, asked, `of the system is ${found.path}`, caller);
      if (mode === 'user') return asked;
    }
    if (mode === undefined) {
      warn(`program "${program}" is ${found.path}; your PATH has ${JSON.stringify(own)}, ${way}`);
    }
    return found;
  };

  return {
    lookUpNow: (program, place) => lookIn(mode ?? 'system', program, place),
    lookUp: async (program, place, caller) => {
      mode ??= await keptMode();
      try {
        const found = lookIn(mode ?? 'system', program, place);
        return mode === undefined ? await preferOwn(program, found, place, caller) : found;
      } catch (thrown) {
        if (!isMissing(thrown)) throw thrown;
        const found = mode === 'user' ? undefined : inPath(() => lookIn('user', program, place));
        if (found === undefined) throw thrown;
        mode ??= await offer(program, found, 'is not one of the system', caller);
        if (mode === 'user') return found;
        // A command line shows the message alone, as a shell does.
        throw new ProgramRefused('not-found', `${thrown.message}; it is on your PATH, ${way}`);
      }
    },
  };
}

/** The meaning of a yes, in words. */
function offerText(program: string, found: FoundProgram, why: string): string {
  const reads = shownReads((found.around ?? []).flatMap((each) => each.reads));
  return [
    `Program "${program}" ${why}. Your PATH has ${JSON.stringify(found.path)}.`,
    'cuervo can look for programs on your PATH, too. Each program that you allow can then read:',
    ...reads.map((path) => `  ${JSON.stringify(path)}`),
    'and nothing else of your home. Each is still asked about. Look there from now on?',
  ].join('\n');
}

function isMissing(thrown: unknown): thrown is ProgramRefused {
  return thrown instanceof ProgramRefused && thrown.tag === 'not-found';
}

function inPath(look: () => FoundProgram): FoundProgram | undefined {
  try {
    return look();
  } catch (thrown) {
    if (thrown instanceof ProgramRefused) return undefined;
    throw thrown;
  }
}

function readersOf(rules: CommandRules): ReadonlySet<string> {
  return new Set(
    rules()
      .filter(({ source, decision, name }) => {
        return source === 'shipped' && decision === 'allow' && !versionRule.test(name);
      })
      .flatMap(({ programs }) => [...programs]),
  );
}
