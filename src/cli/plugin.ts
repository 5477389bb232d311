import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { grantForms } from '../contracts/capabilities.ts';
import { KernelError } from '../contracts/error.ts';
import { escapeLine } from '../lib/text/escape-terminal.ts';
import { shellWord } from '../lib/text/shell-word.ts';
import { listenForInterrupt } from './interrupt.ts';
import { note, oneLine, print, printJson } from './output.ts';
import { addPluginAudit, addPluginInfo, addPluginLearn, addPluginSearch } from './plugin-find.ts';
import { addPluginGrant } from './plugin-grant.ts';
import { addPluginGrants } from './plugin-grants.ts';
import { addPluginInstall } from './plugin-install.ts';
import { addPluginPublish } from './plugin-publish.ts';
import { addPluginRevoke } from './plugin-revoke.ts';
import { addPluginSign, addPluginTrust } from './plugin-trust.ts';
import { addPluginRollback, addPluginUpdate } from './plugin-update.ts';

const examples = `
Examples:
  cuervo plugin build my-tool                      make my-tool/dist/my-tool.wasm
  cuervo plugin inspect my-tool.wasm               what it can do, from the binary itself
  cuervo plugin install my-tool.wasm --grant fs:work
  cuervo plugin grant my-tool fs:work --for 2h     what it may do from now on
  cuervo plugin revoke my-tool                     revoke all of it
  cuervo plugin grants                             who holds what, and until when
  cuervo plugin list
  cuervo plugin remove my-tool

Grants: ${grantForms().join(', ')}.
The workspace is the root "work". A plugin can use only what you grant.
`;

export function addPluginCommand(program: Command): void {
  const plugin = program
    .command('plugin')
    .description('build, inspect, install and remove plugins; grant and revoke')
    .addHelpText('afterAll', examples);
  addBuild(plugin);
  addInspect(plugin);
  addPluginInstall(plugin);
  addPluginUpdate(plugin);
  addPluginRollback(plugin);
  addPluginPublish(plugin);
  addPluginTrust(plugin);
  addPluginSearch(plugin);
  addPluginInfo(plugin);
  addPluginAudit(plugin);
  addPluginLearn(plugin);
  addPluginSign(plugin);
  addList(plugin);
  addRemove(plugin);
  addPluginGrant(plugin);
  addPluginRevoke(plugin);
  addPluginGrants(plugin);
}

function addBuild(plugin: Command): void {
  plugin
    .command('build <dir>')
    .description('make one .wasm of a folder with plugin.ts or plugin.js')
    .option('-o, --out <file>', 'where to write it (default: DIR/dist/NAME.wasm)')
    .option(
      '--engine <engine>',
      'quickjs (1.8 MB) or starlingmonkey (12 MB, has the web APIs)',
      'quickjs',
    )
    .option('--json', 'the result as one object')
    .action(async (dir: string, flags: { out?: string; engine: string; json?: boolean }) => {
      if (flags.engine !== 'quickjs' && flags.engine !== 'starlingmonkey') {
        throw new KernelError('invalid-argument', `--engine ${flags.engine} is not known`, {
          hint: 'Use --engine quickjs or --engine starlingmonkey.',
        });
      }
      const { packagesFolder, programPaths } = await import('../config/paths.ts');
      const { findHome } = await import('../config/load-config.ts');
      const { loadPackage } = await import('../lib/parts/optional-part.ts');
      const { buildPlugin } = await import('../../sdk/build/build-plugin.ts');
      const { createGuardian } = await import('../lib/create-guardian.ts');
      const { checkDescription } = await import('../kernel/plugins/check-description.ts');
      const paths = programPaths();
      const { out, engine } = flags;
      using guardian = createGuardian();
      const built = await buildPlugin({
        folder: dir,
        ...(out === undefined ? {} : { out }),
        engine,
        sdkFolder: paths.sdk,
        witFolder: paths.wit,
        load: (name) =>
          loadPackage(name, {
            root: paths.root,
            packages: packagesFolder(findHome(undefined, process.env)),
          }),
        watch: guardian.watch,
        whyRefused: (description) => checkDescription(description, paths.builtins),
      }).catch((thrown: unknown) => {
        const isAuthors = thrown instanceof Error && thrown.name === 'BuildError';
        throw isAuthors
          ? new KernelError('invalid-argument', thrown.message, {
              cause: thrown,
              hint: `Correct it and run: cuervo plugin build ${shellWord(folderOf(dir))}`,
            })
          : thrown;
      });
      for (const text of built.notes) note(`note: ${text}`);
      if (flags.json)
        printJson({ file: built.file, size: built.bytes, ...built.description.manifest });
      else {
        // A program that reads the path gets it as it is.
        const shown = escapeLine(built.file);
        print(process.stdout.isTTY ? shown : built.file);
        note(
          `${(built.bytes / 1e6).toFixed(1)} MB; look at it with: cuervo plugin inspect ${escapeLine(shellWord(built.file))}`,
        );
      }
    });
}

/** An author may have named `plugin.ts` itself. */
function folderOf(dir: string): string {
  return existsSync(dir) && statSync(dir).isFile() ? dirname(dir) : dir;
}

function addInspect(plugin: Command): void {
  plugin
    .command('inspect <source>')
    .description('show what a binary can and cannot do; exit code 6 when it would be refused')
    .option('--json', 'the report as one object')
    .action(async (file: string, flags: { json?: boolean }) => {
      using interrupt = listenForInterrupt();
      const { openKernel } = await import('../kernel.ts');
      await using kernel = await openKernel();
      const report = await kernel.plugins.inspect(file, { signal: interrupt.signal });
      if (flags.json) printJson(report);
      else print(kernel.plugins.label(report));
      if (report.verdict === 'refused') process.exitCode = 6;
    });
}

function addList(plugin: Command): void {
  plugin
    .command('list')
    .description('list the plugins, what they want and what they were granted')
    .option('--json', 'one object a line')
    .action(async (flags: { json?: boolean }) => {
      const { openKernel } = await import('../kernel.ts');
      await using kernel = await openKernel();
      for (const listed of kernel.plugins.list()) {
        if (flags.json) printJson(listed);
        else {
          const grants = listed.grants.join(' ') || 'nothing granted';
          print(`${listed.name} ${listed.version}  ${listed.sha256.slice(0, 12)}  ${grants}`);
          print(`  tools ${listed.tools.join(' ')}`);
          print(
            `  wants ${listed.capabilities.join(' ') || 'nothing'}  (${oneLine(listed.source)})`,
          );
          if (listed.source !== 'built-in') print(`  by ${byLine(listed.identity)}`);
          if (listed.description !== '') print(`  ${oneLine(listed.description)}${pageOf(listed)}`);
        }
      }
    });
}

function addRemove(plugin: Command): void {
  plugin
    .command('remove <name>')
    .description('remove an installed plugin, its grants and values')
    .action(async (name: string) => {
      const { openKernel } = await import('../kernel.ts');
      await using kernel = await openKernel();
      const record = await kernel.plugins.remove(name);
      print(`removed ${record.name} ${record.version}`);
    });
}

function byLine(identity: 'nobody' | { text: string }): string {
  return identity === 'nobody' ? 'nobody who vouches for it' : identity.text;
}

function pageOf({ licence, homepage }: { licence?: string; homepage?: string }): string {
  const about = [licence, homepage].filter((each) => each !== undefined).map(oneLine);
  return about.length === 0 ? '' : `  (${about.join(', ')})`;
}
