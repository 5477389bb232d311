import { join } from 'node:path';
import type { Command } from 'commander';
import { languages } from '../../../sdk/languages/language.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { note, print } from '../output.ts';

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
