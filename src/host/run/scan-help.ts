import { effectAllows } from '../../contracts/capability.ts';
import type { Effect } from '../../contracts/tool.ts';
import { collectCall, helpCall } from '../../protocol/call-names.ts';
import type { ReplyMessage, RequestMessage } from '../../protocol/messages.ts';
import type { PluginProcess } from './plugin-process.ts';
import type { ProcessPool } from './process-pool.ts';

/** What the call that asks for help may do: a helper gets no more. */
export type HelpGate = {
  pool: ProcessPool;
  effect: Effect;
  denied: Readonly<Record<string, string>>;
  /** fires at the latest when the call ends: nobody needs an unfinished share after that */
  signal: AbortSignal;
};

/**
 * Lets a second process of the same plugin, which reaches the same roots, take a share of a large
 * scan. Nothing is opened that the asking process could not read, and what the sibling found is
 * handed on unread: both are the same plugin.
 *
 * @returns a server of the two calls of help; undefined for any other request
 */
export function createScanHelp(
  gate: HelpGate,
): (request: RequestMessage) => Promise<ReplyMessage> | undefined {
  const isAllowed = gate.denied.fs === undefined && effectAllows(gate.effect, 'fs.scan');
  let part: Promise<unknown> | undefined;

  const help = async (args: readonly unknown[]): Promise<ReplyMessage> => {
    const sibling = isAllowed && part === undefined ? gate.pool.takeReady() : undefined;
    if (sibling !== undefined) part = partOf(sibling, args);
    return { value: sibling !== undefined };
  };

  async function partOf(sibling: PluginProcess, args: readonly unknown[]): Promise<unknown> {
    try {
      return await sibling.assist(args, gate.signal);
    } catch {
      // Whoever asked does the share itself then.
      return null;
    } finally {
      gate.pool.give(sibling);
    }
  }

  const collect = async (): Promise<ReplyMessage> => {
    const waited = part;
    part = undefined;
    return { value: (await waited) ?? null };
  };

  return ({ call, args }) => {
    if (call === helpCall) return help(args);
    return call === collectCall ? collect() : undefined;
  };
}
