import { type HostService, ServiceError } from '../../contracts/host-service.ts';
import type { Memory, MemoryUpkeep } from '../../contracts/memory.ts';
import { argument, parseArguments } from './parse-arguments.ts';

const maxHits = 32;
const maxTextLength = 16 * 1024;
/** Of one plugin in one project. */
const mostRows = 10_000;

type CountedMemory = Memory & Pick<MemoryUpkeep, 'count'>;

/** The memory service, limited to the project of the run and the plugin's own name as source. */
export function createMemoryServices(ports: {
  memory(): Promise<CountedMemory>;
  project: string;
  clock: { nowMs(): number };
  maxRows?: number;
}): [string, HostService][] {
  const { maxRows = mostRows } = ports;
  const rowsOf = new Map<string, number>();

  /**
   * Counted once and then added up. A text that is there already is no new row, so they are counted
   * again before one is refused.
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
      throw new ServiceError('limit', text, '');
    }
    rowsOf.set(plugin, rows + 1);
  }

  const question = argument.list([argument.text(maxTextLength), argument.count(1000)]);
  const record = argument.list([
    argument.text(maxTextLength),
    argument.text(64),
    argument.texts(16, 64),
  ]);
  return [
    [
      'memory.search',
      async (args, { signal }) => {
        const [text, k] = parseArguments('memory.search', question, args);
        const memory = await ports.memory();
        const limit = Math.max(1, Math.min(k, maxHits));
        const hits = await memory.search({ text, limit, project: ports.project }, { signal });
        const value = hits.map(({ id, text: found, layer, kind, tags, score }) => ({
          id,
          text: found,
          layer,
          kind,
          tags: [...tags],
          score,
        }));
        return { value, target: text.slice(0, 200) };
      },
    ],
    [
      'memory.remember',
      async (args, { plugin, signal }) => {
        const [text, kind, tags] = parseArguments('memory.remember', record, args);
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
    ],
  ];
}
