import { parseWide } from '../../ask/parse-wide.ts';
import type { WideFindings } from '../../ask/rank-files.ts';
import { KernelError } from '../../contracts/error.ts';
import {
  rankPassagesTool,
  rememberTool,
  skillTool,
  taskTool,
} from '../../contracts/kernel-tools.ts';
import type {
  InvokeOptions,
  JsonObject,
  ToolCall,
  ToolEvent,
  ToolInvoker,
  ToolOutput,
} from '../../contracts/tool.ts';
import { type RankingPorts, rankPassages } from './rank-passages.ts';

const searchTool = 'search.passages';

type KernelToolPorts = RankingPorts & {
  /** keeps what a model wants remembered */
  remember(input: JsonObject): Promise<ToolOutput>;
  task(input: JsonObject, options: InvokeOptions): Promise<ToolOutput>;
  skill(input: JsonObject): Promise<ToolOutput>;
};

const isWide = ({ tool, input }: ToolCall): boolean =>
  tool === searchTool && input.regions === true;

function withoutRegions({ files: _, ...shown }: WideFindings, step: string): string {
  return JSON.stringify({ ...shown, found: step });
}

/** What the journal holds of a result. */
export function journaledContent(call: ToolCall, step: string, content: string): string {
  const found = isWide(call) ? parseWide(content) : undefined;
  return found === undefined ? content : withoutRegions(found, step);
}

/**
 * Tools of plugins and those of the kernel: its ranking of passages, and facts of a model. A search
 * with regions gives its passages and, as `found`, the name of its step; the regions, up to a
 * megabyte, stay here for the ranking, so that they are neither parsed again nor journaled.
 */
export function withKernelTools(invoker: ToolInvoker, ports: KernelToolPorts): ToolInvoker {
  const kept = new Map<string, WideFindings>();

  async function* search(
    call: ToolCall,
    options: Parameters<ToolInvoker['invoke']>[1],
    step: string,
  ): AsyncGenerator<ToolEvent> {
    const { question } = call.input;
    // The index is loaded beside the search.
    if (typeof question === 'string') ports.pieces?.prepare(question, options);
    for await (const event of invoker.invoke(call, options)) {
      yield event.type === 'output' ? { ...event, output: keep(event.output, step) } : event;
    }
  }

  const keep = (output: ToolOutput, step: string): ToolOutput => {
    const found = parseWide(output.content);
    if (found === undefined) return output;
    kept.set(step, found);
    return { ...output, content: withoutRegions(found, step) };
  };

  async function* rank({ input }: ToolCall, signal: AbortSignal): AsyncGenerator<ToolEvent> {
    const { question, found } = input;
    const findings = kept.get(String(found));
    if (findings === undefined || typeof question !== 'string') {
      throw new KernelError('internal', `no search of this plan found anything to rank: ${found}`);
    }
    yield { type: 'output', output: await rankPassages(findings, question, ports, signal) };
  }

  async function* told(output: Promise<ToolOutput>): AsyncGenerator<ToolEvent> {
    yield { type: 'output', output: await output };
  }

  return {
    tools: () => invoker.tools(),
    invoke: (call, options) => {
      if (call.tool === rankPassagesTool.name) return rank(call, options.signal);
      if (call.tool === rememberTool.name) return told(ports.remember(call.input));
      if (call.tool === taskTool.name) return told(ports.task(call.input, options));
      if (call.tool === skillTool.name) return told(ports.skill(call.input));
      return isWide(call) && options.step !== undefined
        ? search(call, options, options.step)
        : invoker.invoke(call, options);
    },
  };
}
