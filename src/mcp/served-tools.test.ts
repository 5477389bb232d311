import { expect, it } from 'vitest';
import type { RunEvent } from '../contracts/events.ts';
import type { Tool, ToolEvent } from '../contracts/tool.ts';
import type { Kernel, RemoteGuard } from '../kernel.ts';
import type { ClientConsent } from './client-consent.ts';
import { createGuardedTexts } from './guarded-texts.ts';
import { createServedTools } from './served-tools.ts';
import type { TellResult } from './tell-result.ts';

const secret = 'lamp-oil-4711';

/** Knows the secrets of the workspace once it has looked. */
function guardOf(): RemoteGuard {
  let isKnown = false;
  const withheld = (text: string) => (isKnown ? text.replaceAll(secret, '***') : text);
  return {
    know: async () => {
      await new Promise((done) => setTimeout(done, 5));
      isKnown = true;
    },
    outside: (part) => ({ ...part, text: withheld(part.text) }),
    part: withheld,
    call: ({ input }) => ({ input }),
    notices: () => [],
  };
}

const tool: Tool = {
  name: 'lamps.list',
  plugin: 'lamps',
  pluginVersion: '1.0.0',
  digest: 'ab',
  effect: 'read',
  description: 'lists lamps',
  inputSchema: { type: 'object' },
  examples: [],
};

it('shows no secret of the workspace in the progress of the first call', async () => {
  type Options = { onToolEvent(step: string, event: ToolEvent): void };
  const kernel = {
    tools: async () => [tool],
    plugins: { list: () => [{ name: 'lamps', capabilities: [] }] },
    config: { mcp: { answers: {} } },
    run: async function* (_name: string, _input: object, { onToolEvent }: Options) {
      onToolEvent('s1', { type: 'progress', label: `key ${secret}`, done: 1 });
      yield { type: 'result', content: '"done"' } as RunEvent;
    },
  } as unknown as Kernel;
  const guard = guardOf();
  const list = createServedTools({
    ...{ kernel, guard, texts: createGuardedTexts(guard), selection: {} },
    consent: { bind: () => {}, release: () => {} } as unknown as ClientConsent,
    tell: { result: async () => ({ text: 'done' }) } as unknown as TellResult,
  });
  const served = (await list()).find(({ offered }) => offered.name === 'lamps_list');
  const told: string[] = [];
  const call = served?.body({}, {
    client: { name: 'tests', canAsk: false },
    onProgress: (label) => told.push(label),
  } as Parameters<NonNullable<typeof served>['body']>[1]);
  await call?.({ signal: AbortSignal.timeout(5_000), ask: async () => undefined } as Parameters<
    NonNullable<typeof call>
  >[0]);
  expect(told).toEqual(['key ***']);
});
