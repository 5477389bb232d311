import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernel } from './open-kernel.ts';
import { note, print } from './output.ts';

type Flags = { keepData?: boolean; root?: string; renewRoot?: boolean };

export function addPluginTrust(plugin: Command): void {
  plugin
    .command('trust [who...]')
    .description('take a plugin from another identity from now on, or trust a key')
    .option('--keep-data', 'hand over what the plugin kept until now')
    .option('--root <file>', 'trust a Sigstore of your own: its trusted_root.json')
    .option('--renew-root', "bring the public Sigstore's trusted root as it is today")
    .addHelpText(
      'after',
      `
Examples:
  cuervo plugin trust csv-kit github:acme/csv-kit/.github/workflows/publish.yml
  cuervo plugin trust csv-kit nobody               take it without a signature
  cuervo plugin trust ed25519:Xk3…                 a key whose owner you know
`,
    )
    .action(async (words: string[], flags: Flags) => {
      using interrupt = listenForInterrupt();
      await using kernel = await openKernel();
      const { plugins } = kernel;
      if (flags.root !== undefined) {
        await plugins.trustRoot(flags.root);
        print(`trusted the root of ${flags.root}`);
        return;
      }
      if (flags.renewRoot) {
        const { changed } = await plugins.renewRoot({ signal: interrupt.signal });
        print(changed ? 'the trusted root is renewed' : 'the trusted root is the newest');
        return;
      }
      const [first = '', second] = words;
      if (words.length === 1 && first.startsWith('ed25519:')) {
        plugins.trustKey(first);
        print(`trusted ${first}`);
        return;
      }
      if (second === undefined || words.length > 2) {
        throw new KernelError('invalid-argument', 'name a plugin and an identity, or a key', {
          hint: 'For example: cuervo plugin trust csv-kit github:OWNER/REPO/.github/workflows/publish.yml',
        });
      }
      const { before } = plugins.trust(first, second, { keepData: flags.keepData ?? false });
      print(`${first} is taken from ${second} from now on`);
      note(`before: ${before}; nothing is installed by this`);
    });
}

export function addPluginSign(plugin: Command): void {
  plugin
    .command('sign <file>')
    .description('sign a .wasm with an Ed25519 key, as FILE.sig beside it')
    .option('--key <file>', 'a key in PEM (default: that of this home, made where it is missing)')
    .action(async (file: string, flags: { key?: string }) => {
      await using kernel = await openKernel();
      const signed = await kernel.plugins.sign(file, flags.key);
      if (signed.madeKey !== undefined) note(`made the key ${signed.madeKey}; keep a copy of it`);
      print(signed.file);
      note(`Who installs it trusts your key with: cuervo plugin trust ${signed.key}`);
    });
}
