import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unconfined as confine } from '../../../tests/support/unconfined.ts';
import { KernelError } from '../../contracts/error.ts';
import { openChild } from './open-child.ts';
import { openPromptStates, type PromptStates } from './prompt-states.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cuervo-child-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const preamble = `
  import { writeSync } from 'node:fs';
  const say = (message) => writeSync(3, JSON.stringify(message) + '\\n');
  const ready = { type: 'ready', contextTokens: 64, asciiPerToken: 3, dimensions: 0, trainedTokens: 64, hasTemplate: true, memoryBytes: 1 };
`;

/** A model process that misbehaves as native code may. */
async function openWith(
  name: string,
  script: string,
  kept?: PromptStates,
): ReturnType<typeof openChild> {
  const childPath = join(folder, `${name}.mjs`);
  await writeFile(childPath, preamble + script);
  return openChild({
    childPath,
    confine,
    path: 'm.gguf',
    contextTokens: 64,
    threads: 1,
    use: 'chat',
    states: kept,
  });
}

/** States in the folder of this test, of one model. */
function states(name: string): PromptStates {
  const root = join(folder, `${name}-states`);
  const options = { root, key: Buffer.alloc(32, 1), model: 'm', engine: 'e' };
  const opened = openPromptStates(options);
  if (opened === undefined) throw new Error('no folder');
  return opened;
}

async function generate(
  child: Awaited<ReturnType<typeof openChild>>,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  let text = '';
  const request = { turns: [{ role: 'user', text: 'hi' }], maxTokens: 8 } as const;
  for await (const reply of child.generate(request, { signal })) {
    if (reply.type === 'text') text += reply.delta;
  }
  return text;
}

describe('openChild()', () => {
  it('says the signal and the last words of a process that aborts while loading', async () => {
    const opening = openWith('abort', `console.error('GGML_ASSERT(x) failed'); process.abort();`);
    await expect(opening).rejects.toThrow(KernelError);
    await expect(opening).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^the model process ended \(SIG(ABRT|ILL|TRAP)\)/),
    });
  });

  it('passes on why a model could not be loaded', async () => {
    const script = `say({ type: 'failed', id: 0, code: 'unavailable', message: 'no room' });
      setInterval(() => {}, 1e6);`;
    await expect(openWith('fail', script)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'm.gguf could not be loaded: no room',
    });
  });

  it.each([
    [
      'a line of another form',
      `say({ type: 'ready', contextTokens: -1 });`,
      /sent an unknown line/,
    ],
    ['no JSON', `writeSync(3, 'hello\\n');`, /sent an unknown line/],
    [
      'an endless line',
      `writeSync(3, 'x'.repeat(70_000));`,
      /a line of \d+ characters, limit 65536/,
    ],
  ])('ends a process that sends %s', async (name, script, message) => {
    await expect(openWith(name, `${script} setInterval(() => {}, 1e6);`)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(message),
    });
  });

  it('reports a crash during a generation, and is not alive after it', async () => {
    await using child = await openWith(
      'late',
      `say(ready); process.stdin.on('data', (d) => {
      if (String(d).includes('generate')) process.kill(process.pid, 'SIGABRT');
    });`,
    );
    expect(child.alive).toBe(true);
    await expect(generate(child)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the model process ended (SIGABRT)',
    });
    expect(child.alive).toBe(false);
  });

  it('hands the process no environment', async () => {
    await using child = await openWith(
      'env',
      `say(ready); process.stdin.on('data', (d) => {
        if (!String(d).includes('generate')) return;
        say({ type: 'text', id: 1, delta: Object.keys(process.env).join() });
        say({ type: 'end', id: 1, stop: 'end', inputTokens: 1, outputTokens: 1 });
      });`,
    );
    expect(await generate(child)).toBe('');
  });

  it('returns at once on abort, and ends a process that does not stop', async () => {
    await using child = await openWith(
      'deaf',
      `say(ready); process.stdin.on('data', (d) => {
        if (String(d).includes('generate')) say({ type: 'text', id: 1, delta: 'x' });
      });`,
    );
    const abort = new AbortController();
    const request = { turns: [{ role: 'user', text: 'hi' }], maxTokens: 8 } as const;
    const stream = child.generate(request, { signal: abort.signal });
    expect(await stream.next()).toMatchObject({ value: { delta: 'x' } });
    abort.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: 'canceled' });
    // The next one waits for the end of the first, which is the end of the process.
    await expect(generate(child)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the model process did not stop and was ended',
    });
  });

  describe('with a folder for the beginnings of prompts', () => {
    /** Says what it was told of a file, and writes what it is to write. */
    const keeper = (reply: string): string => `
      import { readFileSync, writeFileSync } from 'node:fs';
      say(ready);
      process.stdin.on('data', (data) => {
        const { type, id, file } = JSON.parse(data.toString().trim().split('\\n').at(-1));
        if (type === 'open') return;
        if (file?.save) writeFileSync(file.save, 'what was read');
        const found = file?.load ? readFileSync(file.load, 'utf8') : Object.keys(file ?? {}).join();
        if (file) say({ type: 'state', id, ...(${reply})(file) });
        say({ type: 'text', id, delta: found });
        say({ type: 'end', id, stop: 'end', inputTokens: 1, outputTokens: 1 });
      });`;
    const willing = `(file) => file.load ? { state: 'loaded' } : { state: 'saved', bytes: 13 }`;
    const files = (kept: PromptStates): string[] => readdirSync(kept.folder);

    it('has a process write one, and the next one read it; a process asks once', async () => {
      const kept = states('willing');
      {
        await using first = await openWith('first', keeper(willing), kept);
        expect(await generate(first)).toBe('save,leastMs');
        // It holds what it has read.
        expect(await generate(first)).toBe('');
      }
      expect(files(kept)).toEqual([expect.stringMatching(/\.state$/)]);
      await using second = await openWith('second', keeper(willing), kept);
      expect(await generate(second)).toBe('what was read');
    });

    it.each([
      ['half of it', `() => ({ state: 'saved', bytes: 20 })`],
      ['nothing', `() => ({ state: 'none' })`],
    ])('keeps nothing when a process wrote %s', async (what, reply) => {
      const kept = states(what);
      {
        await using child = await openWith(what.replaceAll(' ', '-'), keeper(reply), kept);
        expect(await generate(child)).toBe('save,leastMs');
      }
      expect(files(kept)).toEqual([]);
    });

    it('removes one that is of no use to the process, and the answer comes all the same', async () => {
      const kept = states('useless');
      {
        await using first = await openWith('useless-first', keeper(willing), kept);
        await generate(first);
      }
      {
        const useless = `() => ({ state: 'useless' })`;
        await using second = await openWith('useless-second', keeper(useless), kept);
        expect(await generate(second)).toBe('what was read');
      }
      expect(files(kept)).toEqual([]);
    });

    it('keeps a beginning with tools when it comes again', async () => {
      const kept = states('tools');
      const offered = [{ name: 'a', description: 'b' }];
      const turns = [{ role: 'user', text: 'hi' }] as const;
      const found: string[] = [];
      for (const name of ['tools-1', 'tools-2', 'tools-3']) {
        await using child = await openWith(name, keeper(willing), kept);
        const request = { type: 'choose', turns, offered } as const;
        for await (const reply of child.call(request, { signal: AbortSignal.timeout(10_000) })) {
          if (reply.type === 'text') found.push(reply.delta);
        }
      }
      expect(found).toEqual(['', 'save,leastMs', 'what was read']);
    });
  });
});
