import { type Command, InvalidArgumentError } from 'commander';
import { KernelError } from '../contracts/error.ts';
import {
  everyProject,
  type MemoryFilter,
  type MemoryLayer,
  memoryLayers,
} from '../contracts/memory.ts';
import { collect } from './kernel-options.ts';

/** Flags that narrow rows, as the commands of memory share them. */
export type FilterFlags = {
  layer?: string;
  kind?: string[];
  tag?: string[];
  session?: string;
  since?: string;
  all?: boolean;
  project?: boolean;
  person?: boolean;
};

export function addFilterOptions(command: Command): Command {
  return command
    .option('--all', 'of every workspace')
    .option('--project', 'only of this workspace, not what holds everywhere')
    .option('--person', 'only what holds for you in every workspace')
    .option('--layer <name>', 'only interact, insights or assets')
    .option('--kind <kind>', 'only this kind; may be repeated', collect)
    .option('--tag <tag>', 'only with this tag; may be repeated, then with all', collect)
    .option('--session <id>', 'only of this session')
    .option('--since <when>', 'only newer than an age (12h, 7d) or a date');
}

/** @throws {KernelError} `invalid-argument`, naming the flag and what it may be */
export function filterOf(
  flags: FilterFlags,
  context: { project: string; nowMs: number },
): MemoryFilter {
  const { kind, tag, session, since } = flags;
  return {
    ...projectsOf(flags, context.project),
    ...(flags.layer === undefined ? {} : { layer: parseLayer(flags.layer) }),
    ...(kind === undefined ? {} : { kinds: kind }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(session === undefined ? {} : { session }),
    ...(since === undefined ? {} : { sinceMs: parseMoment('--since', since, context.nowMs) }),
  };
}

/** Facts for all projects of a person are found in every project. */
function projectsOf(flags: FilterFlags, project: string): MemoryFilter {
  const { all, project: isProject, person } = flags;
  if ([all, isProject, person].filter(Boolean).length > 1) {
    throw new KernelError(
      'invalid-argument',
      'only one of --all, --project and --person can be given',
      {
        hint: 'Give only one of them; without them, cuervo looks at this workspace and at rows for all workspaces.',
      },
    );
  }
  if (all) return {};
  if (isProject) return { projects: [project] };
  return { projects: person ? [everyProject] : [project, everyProject] };
}

/**
 * Why no row is listed.
 *
 * @param narrowed whether more than the workspace was asked for
 */
export function emptyText(flags: { all?: boolean }, narrowed: boolean): string {
  const what = narrowed ? 'no row of memory matches' : 'memory has no rows';
  return flags.all ? what : `${what} in this workspace; look in all of them with: --all`;
}

export function parseLayer(text: string): MemoryLayer {
  const layer = memoryLayers.find((known) => known === text);
  if (layer !== undefined) return layer;
  throw new KernelError('invalid-argument', `there is no memory layer "${text}"`, {
    hint: `Name one of ${memoryLayers.join(', ')}.`,
  });
}

export function parseLimit(text: string, most: number): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw new KernelError('invalid-argument', `--limit ${text} is not a number from 1 to ${most}`, {
    hint: 'For five: --limit 5',
  });
}

const unitMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/**
 * An age (`30m`, `12h`, `7d`, `2w`) or a date (`2026-11-21`, with a time if wanted).
 *
 * @returns ms since the epoch
 */
export function parseMoment(flag: string, text: string, nowMs: number): number {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (unitMs[unit ?? ''] ?? 0);
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new KernelError('invalid-argument', `${flag} "${text}" is neither an age nor a date`, {
    hint: `Write it as ${flag} 12h, ${flag} 7d or ${flag} 2026-11-21.`,
  });
}

/** The number of an option, from 1 to 1000. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 1000) return count;
  throw new InvalidArgumentError('it is a number from 1 to 1000.');
}
