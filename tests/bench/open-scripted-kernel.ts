import type { RunEvent } from '../../src/contracts/events.ts';
import type { ModelReach, ModelRequest } from '../../src/contracts/model.ts';
import type { KernelAsk } from '../../src/kernel/ask/create-ask.ts';
import { openAsk } from '../../src/kernel/ask/open-ask.ts';
import { createConsent } from '../../src/kernel/consent/create-consent.ts';
import { openCore } from '../../src/kernel/core.ts';
import { createJournaledRun } from '../../src/kernel/journaled-run.ts';
import { createFilesIndex } from '../../src/kernel/memory/create-files-index.ts';
import { createMemory } from '../../src/kernel/memory/create-memory.ts';
import { createModel } from '../../src/kernel/models/create-model.ts';
import { createPlugins } from '../../src/kernel/plugins/create-plugins.ts';
import { tryPlugins } from '../../src/kernel/plugins/try-plugins.ts';
import { createSecrets } from '../../src/secrets/create-secrets.ts';
import { openScripted, type ScriptedReply } from '../fixtures/open-scripted.ts';

/** A kernel whose model says what is written down, and takes no time for it. The caller owns it. */
export async function openScriptedKernel(options: {
  home: string;
  workspace: string;
  reply(request: ModelRequest, number: number): ScriptedReply;
  reach?: Partial<ModelReach>;
}): Promise<KernelAsk & AsyncDisposable> {
  const { home, workspace, reply, reach = {} } = options;
  const core = await openCore({ home, workspace });
  const consent = createConsent(core);
  const secrets = createSecrets(core);
  const files = createFilesIndex(core);
  const memory = createMemory(core, files);
  const tried = await tryPlugins(core);
  const plugins = createPlugins(core, {
    ...{ consent, secrets: secrets.file, memory: memory.open, index: files.forTools, tried },
    findTools: async () => [],
  });
  const scripted = openScripted({ name: 'scripted', reply, reach });
  const model = {
    ...createModel(core, secrets.file),
    name: async () => scripted.name,
    open: async () => scripted,
  };
  const journaledRun = createJournaledRun(core, consent, async () => {});
  const asking = openAsk(core, { consent, memory, plugins, model, journaledRun });
  return { ...asking, [Symbol.asyncDispose]: () => core[Symbol.asyncDispose]() };
}

/** All events of a question. @throws the error that it ended with */
export async function eventsOf(
  events: AsyncIterable<RunEvent>,
  onEvent: (event: RunEvent) => void = () => {},
): Promise<void> {
  for await (const event of events) {
    onEvent(event);
    if (event.type === 'error') throw new Error(event.message);
  }
}
