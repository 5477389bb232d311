import type { Command } from 'commander';
import { escapeTerminal, shellWord } from '../../lib/text/escape.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { note, oneLine, print } from '../output.ts';
import { openScratch, parseEngine } from './author-commands.ts';

type TestFlags = {
  update?: boolean;
  escape?: boolean;
  engine?: string;
  only?: string;
  live?: boolean;
};

export function addPluginTest(plugin: Command): void {
  plugin
    .command('test [dir]')
    .description('build a plugin and run its cases in the real host; exit code 1 if one fails')
    .option('--update', 'write the output into the cases as what to expect')
    .option('--only <text>', 'only cases, or calls of --escape, with this in their name')
    .option('--live', 'let cases reach the network, as far as their grants say')
    .option('--escape', 'run hostile inputs, files and answers of the host against it instead')
    .option('--engine <engine>', 'as in plugin build')
    .action(async (dir = '.', flags: TestFlags) => {
      using interrupt = listenForInterrupt();
      const { createOrphanReaper } = await import('../../lib/process/child.ts');
      const { buildAny } = await import('./build-any.ts');
      using orphanReaper = createOrphanReaper();
      const { watch } = orphanReaper;
      using scratch = openScratch();
      const engine = parseEngine(flags.engine);
      const { consoleOut } = scratch;
      const built = await buildAny({ named: dir, engine, watch, consoleOut });
      for (const text of built.notes) note(`note: ${text}`);
      const { signal } = interrupt;
      if (flags.escape === true) {
        const { runEscapeKit } = await import('./run-escape-kit.ts');
        const again = `cuervo plugin test ${shellWord(dir)} --escape`;
        const { only } = flags;
        if (!(await runEscapeKit({ built, signal, only, again }))) process.exitCode = 1;
        return;
      }
      const { failed, byHand } = await runAll(
        dir,
        { ...built, file: built.seen ?? built.file },
        { ...flags, signal },
      );
      if (failed === 0) return;
      process.exitCode = 1;
      const [first] = byHand;
      note(
        first === undefined
          ? `hint: if the new output is right: cuervo plugin test ${shellWord(dir)} --update`
          : `hint: if the new output is right, change "expect" in ${oneLine(first)}; for a case without one, --update writes it`,
      );
    });
}

type Built = { file: string; manifest: { name: string } };

/** @returns how many cases failed, and files with an `expect` that only a person changes */
async function runAll(
  dir: string,
  { file, manifest }: Built,
  { update = false, only = '', live = false, signal }: TestFlags & { signal: AbortSignal },
): Promise<{ failed: number; byHand: Set<string> }> {
  const { findCases } = await import('../../../sdk/author/find-cases.ts');
  const { compareOutcome, expectationOf } = await import('../../../sdk/author/compare-outcome.ts');
  const { runCase } = await import('./run-case.ts');
  const { expectInProgram, updateCases } = await import('../../../sdk/author/update-cases.ts');
  const { caseReader, triedFolder } = await import('./load-build-tool.ts');
  const { writeFileWhole } = await import('../../lib/files/write-file-whole.ts');
  const { folderOf } = await import('../../../sdk/languages/build-folder.ts');
  const count = { passed: 0, failed: 0, updated: 0 };
  const byHand = new Set<string>();
  for (const found of await findCases(folderOf(dir), caseReader(signal))) {
    const fresh = new Map<string, ReturnType<typeof expectationOf>>();
    const inProgram = expectInProgram(found);
    for (const one of found.cases.filter(({ name }) => name.includes(only))) {
      const logs: string[] = [];
      const options = {
        file,
        plugin: manifest.name,
        signal,
        isLive: live,
        tried: triedFolder(),
        onToolEvent: (tool: string, event: { type: string }) => {
          const { level, message } = event as { level?: string; message?: string };
          if (event.type === 'log')
            logs.push(`${tool}: ${level === 'info' ? '' : `${level}: `}${oneLine(message ?? '')}`);
        },
      };
      const { lines, outcome } = await runCase(one, options, (outcome, workspace) => ({
        outcome,
        lines: compareOutcome(one.expect, outcome, workspace),
      }));
      for (const line of logs) note(line);
      if (lines.length === 0) {
        count.passed += 1;
        print(`ok    ${oneLine(one.name)}`);
      } else if (update && !inProgram.has(one.name)) {
        count.updated += 1;
        fresh.set(one.name, expectationOf(outcome));
        print(`wrote ${oneLine(one.name)}`);
      } else {
        count.failed += 1;
        if (inProgram.has(one.name)) byHand.add(found.path);
        print(`FAIL  ${oneLine(one.name)}`);
        for (const line of lines) print(`      ${escapeTerminal(line)}`);
      }
    }
    if (fresh.size > 0) updateCases(found, fresh, writeFileWhole);
  }
  const parts = Object.entries(count).filter(([what, many]) => many > 0 || what === 'passed');
  print(parts.map(([what, many]) => `${many} ${what}`).join(', '));
  return { failed: count.failed, byHand };
}
