import type { HostService } from '../../contracts/host-service.ts';
import type { Memory } from '../../contracts/memory.ts';
import { argument, parseArguments } from './parse-arguments.ts';

const maxHits = 32;
const maxTextLength = 16 * 1024;

/** The memory service, limited to the project of the run and the plugin's own name as source. */
export function createMemoryServices(ports: {
  memory(): Promise<Memory>;
  project: string;
  clock: { nowMs(): number };
}): [string, HostService][] {
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
