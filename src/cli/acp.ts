import type { Command } from 'commander';
import type { Mode as AcpMode } from '../acp/modes.ts';
import { programPaths, programVersion } from '../config/paths.ts';
import { keepYoungSpace } from '../config/process-settings.ts';
import { addModelFlags, type ModelFlags, modelOptions } from './ask.ts';
import { askingIn } from './chat/modes.ts';
import { listenForInterrupt } from './interrupt.ts';
import { collect } from './kernel-options.ts';
import { oweWork } from './lost-output.ts';
import { noteLine } from './output.ts';

const examples = `
Examples:
  cuervo acp                        what an editor starts; it talks on standard input
  cuervo acp -m ollama/qwen3:4b
  cuervo acp --allow exec:npm       a grant for as long as it runs

The settings for an editor: docs/acp.md
`;

type Flags = ModelFlags & { allow?: string[]; yes?: string };

export function addAcpCommand(program: Command): void {
  addModelFlags(
    program.command('acp').description('serve an editor over the Agent Client Protocol'),
  )
    .option('--allow <grant>', 'grant while it runs, e.g. exec:npm (repeatable)', collect)
    .option('--yes <set>', 'allow what this set of rules in rules.toml allows; see docs/policy.md')
    .addHelpText('after', examples)
    .action(serve);
}

async function serve(flags: Flags): Promise<void> {
  using interrupt = listenForInterrupt();
  // Changes are journaled to the end of the answer.
  oweWork();
  // This process runs for days beside the editor, and waits most of the time.
  keepYoungSpace();
  const models = modelOptions(flags);
  const [{ openKernel }, { serveAcp }, { createClientConsent }, { consentText }] =
    await Promise.all([
      import('../kernel.ts'),
      import('../acp/serve-acp.ts'),
      import('../mcp/client-consent.ts'),
      import('./consent-text.ts'),
    ]);
  const { indexInBackground } = await import('./index-in-background.ts');
  const consent = createClientConsent((request) => consentText(request, 80, []));
  const modes = new Map<string, () => AcpMode>();
  await serveAcp({
    version: programVersion(programPaths()),
    signal: interrupt.signal,
    warn: noteLine,
    input: process.stdin,
    output: process.stdout,
    consent,
    setMode: (run, mode) => void (mode === undefined ? modes.delete(run) : modes.set(run, mode)),
    openKernel: async (workspace) => {
      const kernel = await openKernel({
        ...models,
        workspace,
        ...(flags.allow === undefined ? {} : { allow: flags.allow }),
        ...(flags.yes === undefined ? {} : { yes: flags.yes }),
        askConsent: (request, options) => {
          const mode = modes.get(request.run ?? '')?.() ?? 'ask';
          const asking = askingIn(() => (mode === 'edit' ? 'edits' : mode), consent.askConsent);
          return asking(request, options);
        },
        onWarning: noteLine,
      });
      await indexInBackground(kernel, { isLong: true, quiet: true });
      return kernel;
    },
  });
}
