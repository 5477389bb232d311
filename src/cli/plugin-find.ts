import type { Command } from 'commander';
import { ageText, counted } from '../lib/text/amounts.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernel } from './open-kernel.ts';
import { note, oneLine, print, printEach, printJson } from './output.ts';

export function addPluginSearch(plugin: Command): void {
  plugin
    .command('search [word...]')
    .description('find plugins on npm and in the indexes of config.toml')
    .option('--json', 'one object a line')
    .action(async (words: string[], flags: { json?: boolean }) => {
      using interrupt = listenForInterrupt();
      await using kernel = await openKernel();
      const { found, failed } = await kernel.plugins.search(words, { signal: interrupt.signal });
      printEach(found, flags, ({ name, version = '', source, description }) => {
        const head = `${oneLine(name)} ${oneLine(version)}  ${oneLine(source)}`;
        return description === '' ? head : `${head}\n  ${oneLine(description)}`;
      });
      for (const text of failed) note(`note: ${oneLine(text)}`);
      if (flags.json) return;
      if (found.length === 0) note('nothing was found');
      else note('See what one can do before you install it: cuervo plugin info SOURCE');
    });
}

export function addPluginInfo(plugin: Command): void {
  plugin
    .command('info <plugin>')
    .description('show an installed plugin, or one of a source without installing it')
    .option('--json', 'one object')
    .action(async (what: string, flags: { json?: boolean }) => {
      using interrupt = listenForInterrupt();
      await using kernel = await openKernel();
      const report = await kernel.plugins.info(what, { signal: interrupt.signal });
      if (flags.json) printJson(report);
      else {
        print(kernel.plugins.label(report));
        const { versions, installed } = report;
        if (versions !== undefined) print(`\nVersions: ${oneLine(versions.join(', '))}`);
        if (installed !== undefined) {
          print(`\nInstalled from ${oneLine(installed.source)}`);
          print(`Granted: ${installed.grants.join(', ') || 'nothing'}`);
          if (installed.previous !== undefined)
            print(`Before: ${installed.previous} (cuervo plugin rollback ${what})`);
        }
      }
      if (report.verdict === 'refused') process.exitCode = 6;
    });
}

export function addPluginAudit(plugin: Command): void {
  plugin
    .command('audit')
    .description('look for unused grants, newer versions, lost identities and known-bad binaries')
    .option('--offline', 'ask no source')
    .option('--json', 'one object a line')
    .action(async (flags: { offline?: boolean; json?: boolean }) => {
      using interrupt = listenForInterrupt();
      await using kernel = await openKernel();
      const findings = await kernel.plugins.audit({
        signal: interrupt.signal,
        offline: flags.offline ?? false,
      });
      printEach(findings, flags, ({ grave, plugin: name, finding, fix }) => {
        const head = `${grave ? '!' : '-'} ${name}: ${oneLine(finding)}`;
        return fix === undefined ? head : `${head}\n    ${oneLine(fix)}`;
      });
      if (findings.length === 0 && !flags.json) print('nothing to say');
      if (findings.some(({ grave }) => grave)) process.exitCode = 1;
    });
}

export function addPluginLearn(plugin: Command): void {
  plugin
    .command('learn <run...>')
    .description('the least grants that recorded runs needed, and the commands that give them')
    .option('--json', 'one object a line')
    .action(async (runs: string[], flags: { json?: boolean }) => {
      await using kernel = await openKernel();
      const learned = await kernel.plugins.learn(runs);
      const nothing = 'no plugin of yours needed a grant in them';
      const lineOf = ({ plugin: name, grant, calls, denied, held }: (typeof learned)[number]) => {
        const times = counted(calls, 'call');
        const how = denied === 0 ? times : `${times}, ${denied} of them denied`;
        return `${name} ${grant}  ${how}${held ? '; it holds that' : ''}`;
      };
      printEach(learned, flags, lineOf, nothing);
      if (flags.json) return;
      const names = [...new Set(learned.map(({ plugin: name }) => name))];
      for (const name of names) {
        const missing = learned.filter((each) => each.plugin === name && !each.held);
        if (missing.length > 0)
          note(`cuervo plugin grant ${name} ${missing.map(({ grant }) => grant).join(' ')}`);
      }
    });
}

export function addPluginUse(plugin: Command): void {
  plugin
    .command('use <plugin>')
    .description('what a plugin was granted, and what it needed of that in recorded runs')
    .option('--narrow', 'revoke the grants that no recorded call needed')
    .option('--json', 'one object a line')
    .action(async (name: string, flags: { narrow?: boolean; json?: boolean }) => {
      await using kernel = await openKernel();
      const used = await kernel.plugins.use(name);
      printEach(
        used,
        flags,
        ({ grant, status, calls, denied, lastMs, isSpare }) => {
          const last = lastMs === undefined ? '' : `, last ${ageText(Date.now() - lastMs)}`;
          const how = denied === 0 ? '' : `, ${denied} denied`;
          const spare = isSpare ? '; nothing needed it' : '';
          return `${grant}  ${status}  ${counted(calls, 'call')}${how}${last}${spare}`;
        },
        `${name} was granted nothing, and needed nothing`,
      );
      const spare = used.filter(({ isSpare }) => isSpare).map(({ grant }) => grant);
      if (flags.narrow !== true) {
        if (spare.length > 0 && !flags.json)
          note(`cuervo plugin use ${name} --narrow revokes ${spare.join(' ')}`);
        return;
      }
      if (spare.length === 0) return note('every grant that it holds was needed, or none can tell');
      const taken = await kernel.plugins.revoke(name, spare);
      for (const grant of taken) note(`revoked ${name} ${grant}`);
    });
}
