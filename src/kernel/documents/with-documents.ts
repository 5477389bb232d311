import type { NotRead } from '../../contracts/not-read.ts';
import { documentKindOf } from '../../contracts/not-read.ts';
import type { InvokeOptions, ToolCall, ToolEvent } from '../../contracts/tool.ts';
import type { PluginHost } from '../../host/plugin-host.ts';
import { once } from '../../lib/memo.ts';
import type { KernelCore } from '../core.ts';

const reading = 'file.read';
/** The plugin whose results get what documents hold. */
const searching = 'search';

/**
 * Gives built-in tools the text of PDF and Word files: files that a search could not read, and
 * files that a person named. A tool gets only documents that it could open itself.
 *
 * The reader is loaded with the first document.
 */
export function withDocuments(host: PluginHost, core: KernelCore): PluginHost {
  const documents = once(async () => (await import('./serve-documents.ts')).serveDocuments(core));

  async function* search(call: ToolCall, options: InvokeOptions): AsyncGenerator<ToolEvent> {
    const held: Extract<ToolEvent, { type: 'host-call' }>[] = [];
    for await (const event of host.invoke(call, options)) {
      if (event.type === 'host-call' && event.call.notRead?.some(isOfDocuments)) {
        held.push(event);
      } else if (event.type === 'output' && held.length > 0) {
        const missed = held.map((each) => each.call.notRead ?? []);
        const added = await (await documents()).addTo(call, event.output, missed, options.signal);
        for (const [at, each] of held.entries()) {
          const { notRead: _, ...rest } = each.call;
          const left = added.missed[at] ?? [];
          yield { ...each, call: left.length === 0 ? rest : { ...rest, notRead: left } };
        }
        yield { type: 'output', output: added.output };
      } else yield event;
    }
  }

  async function* read(call: ToolCall, options: InvokeOptions): AsyncGenerator<ToolEvent> {
    let refused: string | undefined;
    try {
      for await (const event of host.invoke(call, options)) {
        if (event.type === 'host-call' && isRefusedText(event.call)) refused = event.call.target;
        yield event;
      }
    } catch (thrown) {
      if (refused === undefined) throw thrown;
      const output = await (await documents()).read(call, refused, thrown, options.signal);
      yield { type: 'output', output };
    }
  }

  return {
    ...host,
    invoke: (call, options) => {
      const isRead = call.tool === reading;
      const [plugin = ''] = call.tool.split('.', 1);
      if (!isRead && plugin !== searching) return host.invoke(call, options);
      if (options.rehearsal !== undefined || host.plugin(plugin)?.builtin !== true)
        return host.invoke(call, options);
      return isRead ? read(call, options) : search(call, options);
    },
  };
}

const isOfDocuments = ({ kind, paths }: NotRead): boolean =>
  paths.length > 0 && documentKindOf(`.${kind}`) === kind;

/** Whether a call opened the file but refused it as no text. */
function isRefusedText({
  call,
  outcome,
  target,
}: {
  call: string;
  outcome: string;
  target: string;
}) {
  return call === 'fs.read-text' && outcome === 'invalid' && documentKindOf(target) !== undefined;
}
