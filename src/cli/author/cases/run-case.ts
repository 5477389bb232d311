import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaseOutcome } from '../../../../sdk/author/compare-outcome.ts';
import type { PluginCase } from '../../../../sdk/author/parse-cases.ts';
import { writeFiles } from '../../../../sdk/author/write-files.ts';
import type { ToolEvent } from '../../../contracts/tool.ts';
import type { StandIn } from '../../../kernel/kernel-options.ts';
import { openKernel } from '../../../kernel.ts';
import { makeCommits } from './make-commits.ts';
import { recordedHost } from './recorded-host.ts';

export type CaseOptions = {
  file: string;
  plugin: string;
  signal: AbortSignal;
  /** where prepared binaries are kept from run to run */
  tried: string;
  onToolEvent(tool: string, event: ToolEvent): void;
  standIn?: StandIn;
  /** what the case has no answer for may go to the network */
  isLive?: boolean;
  callTimeoutMs?: number;
};

/**
 * Calls the tool in the real host: a kernel with a home and a workspace of its own, which are gone
 * afterwards.
 *
 * @param look reads what is left in the workspace
 */
export async function runCase<Value>(
  one: Pick<PluginCase, 'tool' | 'input' | 'grants' | 'files' | 'commits' | 'host'>,
  options: CaseOptions,
  look: (outcome: CaseOutcome, workspace: string) => Value,
): Promise<Value> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-case-')));
  try {
    const home = join(dir, 'home');
    const workspace = join(dir, 'work');
    mkdirSync(home, { mode: 0o700 });
    mkdirSync(workspace);
    mkdirSync(options.tried, { recursive: true, mode: 0o700 });
    symlinkSync(options.tried, join(home, 'tried'));
    await makeCommits(workspace, one.commits);
    writeFiles(workspace, one.files);
    const { callTimeoutMs, isLive = false, standIn = recordedHost(one, isLive) } = options;
    await using kernel = await openKernel({
      home,
      workspace,
      plugins: [options.file],
      allow: one.grants,
      onToolEvent: options.onToolEvent,
      standIn,
      ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
    });
    const tool = one.tool.includes('.') ? one.tool : `${options.plugin}.${one.tool}`;
    const outcome: CaseOutcome = {};
    for await (const event of kernel.run(tool, one.input, { signal: options.signal })) {
      if (event.type === 'result')
        Object.assign(outcome, { content: event.content, summary: event.summary });
      if (event.type === 'error') outcome.error = { code: event.code, message: event.message };
    }
    return look(outcome, workspace);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
