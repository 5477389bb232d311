import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Engine } from '../../../sdk/build/componentize.ts';
import { languages } from '../../../sdk/languages/language.ts';
import { KernelError } from '../../contracts/error.ts';
import { binarySize } from '../../lib/text/amounts.ts';
import { escapeLine, shellWord } from '../../lib/text/escape.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { note, oneLine, print, printJson } from '../output.ts';

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
      const { checkPlugin } = await import('./check-plugin.ts');
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

export function addPluginNew(plugin: Command): void {
  plugin
    .command('new <name>')
    .description('make a folder with a plugin that builds, tests and explains itself')
    .option('--lang <language>', languages.join(', '), 'ts')
    .action(async (name: string, flags: { lang: string }) => {
      const { makePlugin } = await import('../../../sdk/author/make-plugin.ts');
      const { programPaths } = await import('../../config/paths.ts');
      const { checkManifest } = await import('../../kernel/plugins/check-description.ts');
      const { whyNoBuildTool } = await import('./load-build-tool.ts');
      const { sdk, dist, builtins } = programPaths();
      const { folder, files, missing } = makePlugin(name, flags.lang, {
        sdkFolder: sdk,
        linkedSdk: join(dist, 'sdk'),
        env: process.env,
        whyRefused: (manifest) => checkManifest(manifest, builtins),
        whyNoBuildTool,
      });
      print(folder);
      note(files.map((file) => `  ${file}`).join('\n'));
      if (missing !== undefined) note(`note: ${missing}`);
      note(`Next: cd ${shellWord(folder)} && cuervo plugin test`);
    });
}

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

/** The place of a binary that only this command tries. The caller owns it. */
export function openScratch(): Disposable & { consoleOut: string } {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-tried-'));
  return {
    consoleOut: join(folder, 'plugin.wasm'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
