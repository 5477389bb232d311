import {
  dataName,
  type HostCaller,
  type HostServices,
  ServiceError,
} from '../../contracts/host-service.ts';
import type { Memory, MemoryHit, MemoryUpkeep } from '../../contracts/memory.ts';
import { argument, parseArguments } from './parse-arguments.ts';

const maxHits = 32;
const maxTextLength = 16 * 1024;
/** Rows of one plugin in one project. */
const mostRows = 10_000;

/** `withheld` files are in memory but not shown; not even their number is told. */
type ShownFiles = { withheld: readonly string[]; isShown(path: string): boolean };

type CountedMemory = Memory & Pick<MemoryUpkeep, 'count'>;

export type MemoryPorts = {
  memory(): Promise<CountedMemory>;
  /** The files whose pieces a caller may see now, by paths in the workspace; undefined: none. */
  shownFiles(caller: HostCaller): Promise<ShownFiles | undefined>;
  project: string;
  clock: { nowMs(): number };
  maxRows?: number;
};

/**
 * The memory service, limited to the project of the run. A plugin finds what it remembered itself,
 * and pieces of files that it may read today; what a person said or added is not its own.
 */
export function createMemoryServices(ports: MemoryPorts): HostServices<'memory'> {
  const { maxRows = mostRows } = ports;
  const rowsOf = new Map<string, number>();

  /**
   * Counts the rows once and then adds up. A repeated text makes no new row, so they are counted
   * again before a refusal.
   */
  async function takeRow(
    memory: CountedMemory,
    plugin: string,
    signal: AbortSignal,
  ): Promise<void> {
    const filter = { layer: 'interact', project: ports.project, source: plugin } as const;
    const count = async (): Promise<number> => (await memory.count(filter, { signal })).interact;
    let rows = rowsOf.get(plugin) ?? (await count());
    if (rows >= maxRows) rows = await count();
    if (rows >= maxRows) {
      const text = `${plugin} remembers ${rows} texts in this project, limit ${maxRows}`;
      const hint = `Forget what it remembers: cuervo memory forget --source ${plugin}`;
      throw new ServiceError('limit', text, '', hint);
    }
    rowsOf.set(plugin, rows + 1);
  }

  const searchShown = async (text: string, caller: HostCaller): Promise<MemoryHit[]> => {
    const { project } = ports;
    const { signal } = caller;
    const plugin = dataName(caller);
    const [memory, files] = await Promise.all([ports.memory(), ports.shownFiles(caller)]);
    const query = { text, limit: maxHits, project, isAlone: true } as const;
    const own = memory.search({ ...query, source: plugin, questions: true }, { signal });
    const ofFiles = { layer: 'assets', notSources: files?.withheld ?? [] } as const;
    const pieces = files === undefined ? [] : memory.search({ ...query, ...ofFiles }, { signal });
    const hits = [
      // A file may be called like the plugin.
      ...(await own).filter(({ layer }) => layer !== 'assets'),
      ...(await pieces).filter(({ source }) => source !== undefined && files?.isShown(source)),
    ];
    return hits.sort((one, other) => other.score - one.score);
  };

  const question = argument.list([argument.text(maxTextLength), argument.count(1000)]);
  const record = argument.list([
    argument.text(maxTextLength),
    argument.text(64),
    argument.texts(16, 64),
  ]);
  return {
    'memory.search': async (args, caller) => {
      const [text, k] = parseArguments('memory.search', question, args);
      const limit = Math.max(1, Math.min(k, maxHits));
      const hits = await searchShown(text, caller);
      const value = hits.slice(0, limit).map(({ id, text: found, layer, kind, tags, score }) => ({
        id,
        text: found,
        layer,
        kind,
        tags: [...tags],
        score,
      }));
      return { value, target: text.slice(0, 200) };
    },
    'memory.remember': async (args, caller) => {
      const [text, kind, tags] = parseArguments('memory.remember', record, args);
      const { signal } = caller;
      const plugin = dataName(caller);
      const memory = await ports.memory();
      await takeRow(memory, plugin, signal);
      const row = {
        layer: 'interact' as const,
        text,
        context: text,
        kind,
        tags,
        project: ports.project,
        source: plugin,
        ts: ports.clock.nowMs(),
      };
      const [id] = await memory.remember([row], { signal });
      return { value: id ?? '', target: text.slice(0, 200) };
    },
  };
}
