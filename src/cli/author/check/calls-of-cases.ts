import { findCases } from '../../../../sdk/author/find-cases.ts';
import { effectAllows, leastEffect } from '../../../contracts/capability.ts';
import type { Effect } from '../../../contracts/tool.ts';
import { runCase } from '../cases/run-case.ts';
import { caseReader, triedFolder } from '../load-build-tool.ts';

export type TooLow = { tool: string; call: string; effect: string; needed: string };

/** Runs all cases and looks at the host calls that they made. */
export async function callsOfCases(
  options: { folder: string; file: string; manifest: { name: string }; signal: AbortSignal },
  tools: readonly { name: string; effect: string }[],
): Promise<{ tooLow: TooLow[]; ran: ReadonlySet<string> }> {
  const ran = new Set<string>();
  const tooLow = new Map<string, TooLow>();
  for (const { cases } of await findCases(options.folder, caseReader(options.signal))) {
    for (const one of cases) {
      const name = one.tool.split('.').at(-1) ?? one.tool;
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) continue;
      ran.add(name);
      const effect = tool.effect as Effect;
      await runCase(
        one,
        {
          file: options.file,
          plugin: options.manifest.name,
          signal: options.signal,
          tried: triedFolder(),
          onToolEvent: (_, event) => {
            if (event.type !== 'host-call') return;
            const { call } = event.call;
            if (effectAllows(effect, call)) return;
            const needed = leastEffect(call);
            if (needed !== undefined)
              tooLow.set(`${name} ${call}`, { tool: name, call, effect, needed });
          },
        },
        () => undefined,
      );
    }
  }
  return { tooLow: [...tooLow.values()], ran };
}
