import type { Command } from 'commander';
import type { OfferedModel } from '../kernel/models/pull-model.ts';
import { sizeText } from '../lib/text/amounts.ts';
import { escapeLine, shellWord } from '../lib/text/escape.ts';
import { confirm } from './ask-person.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernel } from './open-kernel.ts';
import { note, print, printJson } from './output.ts';
import { startProgress } from './progress.ts';

const notes = `
Licence, size and SHA-256 are shown first, and you are asked. A download that was cut off goes
on where it stopped. For a model whose owner wants to know who you are, keep a token:
cuervo secret set HF_TOKEN --for https://huggingface.co
`;

type Flags = {
  name?: string;
  hub?: string;
  sha256?: string;
  yes?: boolean;
  quiet?: boolean;
  json?: boolean;
};

export function addModelPullCommand(parent: Command): void {
  parent
    .command('pull <source>')
    .description('bring a GGUF file from a hub or an address')
    .option('--name <name>', 'the name to keep it by')
    .option('--hub <url>', 'a hub or a mirror in the place of huggingface.co')
    .option('--sha256 <hex>', 'what the file must have, where its server does not say')
    .option('--yes', 'agree to licence and size as shown')
    .option('-q, --quiet', 'no progress on standard error')
    .option('--json', 'the model as one object')
    .addHelpText('after', notes)
    .action(pull);
}

async function pull(source: string, flags: Flags): Promise<void> {
  using interrupt = listenForInterrupt();
  await using kernel = await openKernel({ onWarning: (text) => note(`note: ${text}`) });
  using progress = startProgress(!flags.quiet);
  progress.set(`asking for ${source}`);
  const { name, hub, sha256 } = flags;
  const pulled = await kernel.models.pull(source, {
    ...{ name, hub, sha256 },
    signal: interrupt.signal,
    agree: async (offered) => {
      progress.clear();
      for (const line of offerLines(offered)) note(line);
      if (!flags.yes) await confirm(`Bring ${offered.model}?`, 'nothing was brought');
    },
    onProgress: (came, total) =>
      progress.set(
        total === undefined
          ? `${sizeText(came)}`
          : `${sizeText(came)} of ${sizeText(total)}, ${Math.floor((came / total) * 100)} %`,
      ),
  });
  progress.clear();
  if (flags.json) {
    printJson(pulled);
    return;
  }
  const { model, path, bytes } = pulled;
  print(`${model} is here: ${path}, ${sizeText(bytes)}`);
  print(`sha256 ${pulled.sha256}`);
  note(`find out what it can be trusted with: cuervo model test ${shellWord(model)}`);
  note(`use it from now on: cuervo model use ${shellWord(model)}`);
}

function* offerLines(offered: OfferedModel): Generator<string> {
  const { bytes, hereBytes, files, licence, sha256, path } = offered;
  const size = bytes === undefined ? 'not said' : sizeText(bytes);
  const here = hereBytes > 0 ? `, of which ${sizeText(hereBytes)} are here` : '';
  const parts = files.length > 1 ? ` in ${files.length} files` : '';
  yield `source   ${escapeLine(offered.source)}`;
  yield `file     ${escapeLine(files[0] ?? '')}${parts}`;
  yield `size     ${size}${here}`;
  yield `licence  ${licence === undefined ? 'not said' : escapeLine(licence).slice(0, 120)}`;
  yield `sha256   ${sha256 ?? 'not said'}`;
  yield `goes to  ${path}`;
  for (const warning of offered.warnings) yield `note: ${warning}`;
}
