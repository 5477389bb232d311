import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { mapText, parseMap } from '../contracts/output/parse-map.ts';
import { withKernel } from './open-kernel.ts';
import { print, printJson } from './output.ts';

const examples = `
Examples:
  cuervo map                of what the workspace is made, on one screen
  cuervo map src            the same of one folder
  cuervo map --json | jq -r '.parts[].path'
`;

export function addMapCommand(program: Command): void {
  program
    .command('map [folder]')
    .description('show the parts of the workspace, which imports which, and where it begins')
    .option('-w, --workspace <dir>', 'the folder that is mapped')
    .option('--json', 'the map as one object')
    .addHelpText('after', examples)
    .action(showMap);
}

async function showMap(
  folder: string | undefined,
  flags: { workspace?: string; json?: boolean },
): Promise<void> {
  await withKernel(flags, async (kernel, signal) => {
    const input = folder === undefined ? {} : { path: folder };
    for await (const event of kernel.run('search.map', input, { signal, isWhole: true })) {
      if (event.type === 'error')
        throw new KernelError(event.code, event.message, { hint: event.hint });
      if (event.type !== 'result') continue;
      const map = parseMap(event.content);
      if (map === undefined)
        throw new KernelError('plugin-fault', 'search.map gave something else than a map');
      if (flags.json) printJson(map);
      else if (map.files === 0) print('there is no code here');
      else print(mapText(map));
    }
  });
}
