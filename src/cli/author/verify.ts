import type { Command } from 'commander';
import { escapeLine, shellWord } from '../../lib/text/escape.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { note, print, printJson } from '../output.ts';

export function addPluginVerify(plugin: Command): void {
  plugin
    .command('verify <file>')
    .description('say whether a binary would be installed; its describe() runs; exit code 0 or 6')
    .option('--json', 'the report of inspect as one object')
    .action(async (file: string, flags: { json?: boolean }) => {
      using interrupt = listenForInterrupt();
      const { openKernel } = await import('../../kernel.ts');
      await using kernel = await openKernel();
      const report = await kernel.plugins.inspect(file, { signal: interrupt.signal });
      const isRefused = report.verdict === 'refused';
      if (isRefused) process.exitCode = 6;
      if (flags.json) {
        printJson(report);
        return;
      }
      const who = `${report.name ?? file} ${report.version ?? ''}`.trim();
      if (isRefused) {
        print(`refused: ${escapeLine(who)}`);
        for (const reason of report.reasons) print(`  ${escapeLine(reason)}`);
        return;
      }
      const tools = report.tools.map(({ name }) => `${report.name}.${name}`).join(' ');
      print(`ok: ${escapeLine(who)}  ${report.sha256.slice(0, 12)}  ${tools}`);
      note(
        `It can be installed. See what it could do with: cuervo plugin inspect ${shellWord(file)}`,
      );
    });
}
