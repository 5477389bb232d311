import type { Command } from 'commander';
import { shellWord } from '../../lib/text/escape.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { note, oneLine, print } from '../output.ts';
import { parseEngine } from './build.ts';

export function addPluginCheck(plugin: Command): void {
  plugin
    .command('check [dir]')
    .description(
      'say what a careful user would say of a plugin, and how to fix it; exit code 1 then',
    )
    .option('--engine <engine>', 'as in plugin build')
    .action(async (dir = '.', flags: { engine?: string }) => {
      using interrupt = listenForInterrupt();
      const { createOrphanReaper } = await import('../../lib/process/child.ts');
      const { checkPlugin } = await import('./check/check-plugin.ts');
      using orphanReaper = createOrphanReaper();
      const findings = await checkPlugin({
        dir,
        engine: parseEngine(flags.engine),
        watch: orphanReaper.watch,
        signal: interrupt.signal,
      });
      const problems = findings.filter(({ level }) => level === 'fix');
      for (const { level, what, fix } of findings) {
        print(`${level === 'ok' ? 'ok  ' : level === 'fix' ? 'FIX ' : 'note'}  ${oneLine(what)}`);
        if (fix !== undefined) print(`      ${oneLine(fix)}`);
      }
      if (problems.length === 0) return;
      process.exitCode = 1;
      note(`${problems.length} to fix; then again: cuervo plugin check ${shellWord(dir)}`);
    });
}
