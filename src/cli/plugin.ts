import type { Command } from 'commander';
import { addPluginBuild } from './author/build.ts';
import { addPluginCheck } from './author/check.ts';
import { addPluginDev } from './author/dev.ts';
import { addPluginNew } from './author/new.ts';
import { addPluginTest } from './author/test.ts';
import { addPluginVerify } from './author/verify.ts';
import { addFamilyExamples } from './family-examples.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernel } from './open-kernel.ts';
import { oneLine, print, printJson, printWrapped } from './output.ts';
import { addPluginAudit, addPluginInfo, addPluginLearn, addPluginSearch } from './plugin-find.ts';
import { addPluginGrant, grantsText } from './plugin-grant.ts';
import { addPluginGrants } from './plugin-grants.ts';
import { addPluginInstall } from './plugin-install.ts';
import { addPluginPublish } from './plugin-publish.ts';
import { addPluginRevoke } from './plugin-revoke.ts';
import { addPluginSign, addPluginTrust } from './plugin-trust.ts';
import { addPluginRollback, addPluginUpdate } from './plugin-update.ts';

const examples = `
Examples:
  cuervo plugin new my-tool                        a folder that builds and tests itself
  cuervo plugin build my-tool                      make my-tool/dist/my-tool.wasm
  cuervo plugin test my-tool                       run its cases
  cuervo plugin dev my-tool my-tool.count text=hi  build and call again on every change
  cuervo plugin check my-tool                      what a careful user would say of it
  cuervo plugin verify my-tool.wasm                whether it would be installed
  cuervo plugin sign my-tool.wasm
  cuervo plugin publish my-tool.wasm npm --dry-run
  cuervo plugin inspect my-tool.wasm               what it can do, from the binary itself
  cuervo plugin install my-tool.wasm --grant fs:work
  cuervo plugin grant my-tool fs:work --for 2h     what it may do from now on
  cuervo plugin revoke my-tool                     revoke all of it
  cuervo plugin grants                             who holds what, and until when
  cuervo plugin learn 3f2a91                       the least grants that this run needed
  cuervo plugin list
  cuervo plugin info npm:csv-kit                   what it is and can do, before it is installed
  cuervo plugin search csv
  cuervo plugin update                             what changed at the sources of all
  cuervo plugin rollback csv-kit
  cuervo plugin audit
  cuervo plugin remove my-tool
`;

export function addPluginCommand(program: Command): void {
  const plugin = program
    .command('plugin')
    .description('write, test, build, inspect, install and remove plugins; grant and revoke');
  plugin.addHelpText('after', grantsText());
  addFamilyExamples(plugin, examples);
  addPluginNew(plugin);
  addPluginBuild(plugin);
  addPluginTest(plugin);
  addPluginDev(plugin);
  addPluginCheck(plugin);
  addPluginVerify(plugin);
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

function addInspect(plugin: Command): void {
  plugin
    .command('inspect <source>')
    .description('show what a binary can and cannot do; exit code 6 when it would be refused')
    .option('--json', 'the report as one object')
    .action(async (file: string, flags: { json?: boolean }) => {
      using interrupt = listenForInterrupt();
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
      await using kernel = await openKernel();
      for (const listed of kernel.plugins.list()) {
        if (flags.json) printJson(listed);
        else {
          const grants = listed.grants.join(' ') || 'nothing granted';
          print(`${listed.name} ${listed.version}  ${listed.sha256.slice(0, 12)}  ${grants}`);
          printWrapped('  ', `tools ${listed.tools.join(' ')}`);
          const wants = listed.capabilities.join(' ') || 'nothing';
          printWrapped('  ', `wants ${wants}  (${oneLine(listed.source)})`);
          if (listed.source !== 'built-in') print(`  by ${byLine(listed.identity)}`);
          if (listed.description !== '')
            printWrapped('  ', `${oneLine(listed.description)}${pageOf(listed)}`);
        }
      }
    });
}

function addRemove(plugin: Command): void {
  plugin
    .command('remove <name>')
    .description('remove an installed plugin, its grants and values')
    .action(async (name: string) => {
      await using kernel = await openKernel();
      const record = await kernel.plugins.remove(name);
      print(`removed ${record.name} ${record.version}`);
    });
}

function byLine(identity: 'nobody' | { text: string }): string {
  return identity === 'nobody' ? 'an unknown publisher' : identity.text;
}

function pageOf({ licence, homepage }: { licence?: string; homepage?: string }): string {
  const about = [licence, homepage].filter((each) => each !== undefined).map(oneLine);
  return about.length === 0 ? '' : `  (${about.join(', ')})`;
}
