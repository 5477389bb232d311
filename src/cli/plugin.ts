import type { Command } from 'commander';
import type { ListedPlugin } from '../contracts/output/parse-plugin-output.ts';
import {
  addPluginBuild,
  addPluginCheck,
  addPluginNew,
  addPluginVerify,
} from './author/author-commands.ts';
import { addPluginDev } from './author/dev.ts';
import { addPluginTest } from './author/test.ts';
import { addCommands, addFamilyExamples } from './command-families.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernel } from './open-kernel.ts';
import { oneLine, print, printJson, printOne, wrapped } from './output.ts';
import {
  addPluginAudit,
  addPluginInfo,
  addPluginLearn,
  addPluginSearch,
  addPluginUse,
} from './plugin-find.ts';
import { addPluginGrant, addPluginGrants, addPluginRevoke, grantsText } from './plugin-grants.ts';
import { addPluginInstall, addPluginRollback, addPluginUpdate } from './plugin-install.ts';
import { addPluginPublish, addPluginSign, addPluginTrust } from './plugin-publishers.ts';

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
  cuervo plugin use wordcount                      what it was granted, and what of that it needed
  cuervo plugin list
  cuervo plugin info npm:csv-kit                   what it is and can do, before it is installed
  cuervo plugin search csv
  cuervo plugin update                             what changed at the sources of all
  cuervo plugin rollback csv-kit
  cuervo plugin audit
  cuervo plugin remove my-tool
`;

/** In the order of the help. */
const commands: Readonly<Record<string, (plugin: Command) => unknown>> = {
  new: addPluginNew,
  build: addPluginBuild,
  test: addPluginTest,
  dev: addPluginDev,
  check: addPluginCheck,
  verify: addPluginVerify,
  inspect: addInspect,
  install: addPluginInstall,
  update: addPluginUpdate,
  rollback: addPluginRollback,
  publish: addPluginPublish,
  trust: addPluginTrust,
  search: addPluginSearch,
  info: addPluginInfo,
  audit: addPluginAudit,
  learn: addPluginLearn,
  use: addPluginUse,
  sign: addPluginSign,
  list: addList,
  remove: addRemove,
  grant: addPluginGrant,
  revoke: addPluginRevoke,
  grants: addPluginGrants,
};

/** @param word after `plugin`, as for `createProgram` */
export function addPluginCommand(program: Command, word?: string): void {
  const plugin = program
    .command('plugin')
    .description('write, test, build, inspect, install and remove plugins; grant and revoke');
  plugin.addHelpText('after', grantsText());
  // builds need a temporary folder before there is a kernel
  plugin.hook('preAction', async () => {
    const { findHome } = await import('../config/load-config.ts');
    const { useTempFolder } = await import('../config/paths.ts');
    useTempFolder(findHome(undefined, process.env));
  });
  addFamilyExamples(plugin, examples);
  addCommands(plugin, commands, word);
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
      printOne(report, flags, kernel.plugins.label(report));
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
      const plugins = kernel.plugins.list();
      if (flags.json) for (const listed of plugins) printJson(listed);
      else print(plugins.flatMap(listedLines).join('\n'));
    });
}

function listedLines(listed: ListedPlugin): string[] {
  const { name, version, sha256, source, description } = listed;
  const grants = listed.grants.join(' ') || 'nothing granted';
  const wants = listed.capabilities.join(' ') || 'nothing';
  return [
    `${name} ${version}  ${sha256.slice(0, 12)}  ${grants}`,
    wrapped('  ', `tools ${listed.tools.join(' ')}`),
    wrapped('  ', `wants ${wants}  (${oneLine(source)})`),
    ...(source === 'built-in' ? [] : [`  by ${byLine(listed.identity)}`]),
    ...(description === '' ? [] : [wrapped('  ', `${oneLine(description)}${pageOf(listed)}`)]),
  ];
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
