import type { Command } from 'commander';
import type { Engine } from '../../../sdk/build/componentize.ts';
import { KernelError } from '../../contracts/error.ts';
import { binarySize } from '../../lib/text/amounts.ts';
import { escapeLine, shellWord } from '../../lib/text/escape.ts';
import { note, print, printJson } from '../output.ts';

export function addPluginBuild(plugin: Command): void {
  plugin
    .command('build [dir]')
    .description(
      'make one .wasm of a folder with plugin.ts, plugin.js or plugin.toml, or of one .js',
    )
    .option('-o, --out <file>', 'where to write it (default: DIR/dist/NAME.wasm)')
    .option(
      '--engine <engine>',
      'quickjs (1.8 MB, the default) or starlingmonkey (12 MB, has the web APIs)',
    )
    .option('--release', 'leave the source map out: smaller, and an error names no line')
    .option('--json', 'the result as one object')
    .action(async (dir = '.', flags: BuildFlags) => {
      const { createOrphanReaper } = await import('../../lib/process/child.ts');
      const { buildAny } = await import('./build-any.ts');
      using orphanReaper = createOrphanReaper();
      const built = await buildAny({
        named: dir,
        out: flags.out,
        engine: parseEngine(flags.engine),
        release: flags.release,
        watch: orphanReaper.watch,
      });
      for (const text of built.notes) note(`note: ${text}`);
      if (flags.json) printJson({ file: built.file, size: built.bytes, ...built.manifest });
      else {
        // A program that reads the path gets it as it is.
        const shown = escapeLine(built.file);
        print(process.stdout.isTTY ? shown : built.file);
        note(
          `${binarySize(built.bytes)}; look at it with: cuervo plugin inspect ${escapeLine(shellWord(built.file))}`,
        );
      }
    });
}

type BuildFlags = { out?: string; engine?: string; release?: boolean; json?: boolean };

/** @throws {KernelError} `invalid-argument` */
export function parseEngine(text: string | undefined): Engine | undefined {
  if (text === undefined) return undefined;
  if (text === 'quickjs' || text === 'starlingmonkey') return text;
  throw new KernelError('invalid-argument', `--engine ${text} is not known`, {
    hint: 'Use --engine quickjs or --engine starlingmonkey.',
  });
}
