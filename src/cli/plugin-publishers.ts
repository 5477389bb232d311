import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { PublishedTarget } from '../contracts/output/parse-plugin-output.ts';
import { sizeText } from '../lib/text/amounts.ts';
import { confirm } from './ask-person.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernel } from './open-kernel.ts';
import { note, print, printJson } from './output.ts';

type Flags = {
  dryRun?: boolean;
  workflow?: boolean;
  page?: string;
  repository?: string;
  yes?: boolean;
  json?: boolean;
};

export function addPluginPublish(plugin: Command): void {
  plugin
    .command('publish [source] [target...]')
    .description('publish a plugin to npm (npm, npm:NAME) and to oci://REGISTRY/NAME')
    .option('--dry-run', 'show exactly what would go out, and send nothing')
    .option('--workflow', 'print a GitHub workflow that builds, attests and publishes it')
    .option('--page <file>', 'its page (default: the README.md beside it)')
    .option('--repository <url>', 'where its source is (default: of the package.json beside it)')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'what went out as one object')
    .addHelpText(
      'after',
      '\nWhat follows -- goes to npm publish, for example: -- --access public\n',
    )
    .action(async (named: string | undefined, more: string[], flags: Flags) => {
      using interrupt = listenForInterrupt();
      const { openKernel } = await import('../kernel.ts');
      await using kernel = await openKernel();
      const all = [...(named === undefined ? [] : [named]), ...more];
      // Inside its folder the plugin needs no name.
      const [source = '.', ...words] = isTarget(named) ? ['.', ...all] : all;
      const first = words.findIndex((word) => word.startsWith('-'));
      const targets = first < 0 ? words : words.slice(0, first);
      const npmArgs = first < 0 ? [] : words.slice(first);
      if (targets.length === 0) {
        throw new KernelError('invalid-argument', 'no target is named', {
          hint: `Name one or more: cuervo plugin publish ${source} npm oci://ghcr.io/OWNER/NAME`,
        });
      }
      if (flags.workflow) {
        const { languageOf } = await import('../../sdk/languages/language.ts');
        const { signal } = interrupt;
        print(await kernel.plugins.workflow(source, targets, { signal, languageOf }));
        return;
      }
      const { page, repository } = flags;
      const published = await kernel.plugins.publish(source, {
        signal: interrupt.signal,
        targets,
        npmArgs,
        dryRun: flags.dryRun ?? false,
        createdMs: epochOf(process.env.SOURCE_DATE_EPOCH),
        ...(page === undefined ? {} : { page }),
        ...(repository === undefined ? {} : { repository }),
        consent: async (going, notes) => {
          for (const each of going) for (const line of linesOf(each)) note(line);
          for (const text of notes) note(`note: ${text}`);
          if (!flags.yes) await confirm('Publish this?', 'nothing was published');
          return true;
        },
      });
      if (flags.json) printJson({ dryRun: flags.dryRun ?? false, targets: published });
      else if (flags.dryRun) {
        for (const each of published) for (const line of linesOf(each)) print(line);
        note('nothing was sent');
      } else
        for (const { target, digest } of published) {
          print(`published ${target}${digest === undefined ? '' : ` ${digest}`}`);
          // Without a version, so that `plugin update` goes on from it.
          note(`To install it: cuervo plugin install ${target.replace(/(?<=[^:])@[^@/]+$/, '')}`);
        }
    });
}

function linesOf({ target, files, text, digest, tags, command }: PublishedTarget): string[] {
  const pretty = JSON.stringify(JSON.parse(text), null, 2).split('\n');
  return [
    target,
    ...files.map(({ name, bytes, sha256 }) => `  ${name}  ${sizeText(bytes)}  ${sha256}`),
    ...(digest === undefined ? [] : [`  manifest ${digest}, tags ${tags?.join(', ')}`]),
    ...(command === undefined ? [] : [`  by: ${command.join(' ')}`]),
    ...pretty.map((line) => `  ${line}`),
  ];
}

function isTarget(word: string | undefined): boolean {
  return word !== undefined && /^(?:npm$|npm:|oci:|-)/.test(word);
}

/** https://reproducible-builds.org/specs/source-date-epoch/ */
function epochOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) * 1000 : undefined;
}

type TrustFlags = { keepData?: boolean; root?: string; renewRoot?: boolean };

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
    .action(async (words: string[], flags: TrustFlags) => {
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
