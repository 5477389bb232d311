import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const source = `import { Buffer } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import EventEmitter from 'events';
import { promisify, stripVTControlCharacters, MIMEType } from 'util';
import { definePlugin, fs, v } from '@cuervo/sdk';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const order: string[] = [];
const say = async (what: string, ms: number) => {
  await sleep(ms);
  order.push(what);
};
async function* counting() {
  for (const each of [1, 2, 3]) yield each;
}
const failing: Record<string, () => unknown> = {
  error: () => {
    throw new Error('bad luck');
  },
  text: () => {
    throw 'a text';
  },
  nothing: () => {
    throw undefined;
  },
  object: () => {
    throw { why: 'it is so' };
  },
  rejected: () => Promise.reject(new RangeError('too far')),
  never: () => new Promise(() => {}),
  absent: () => nosuch.thing,
};

export default definePlugin({
  name: 'author',
  version: '0.1.0',
  description: 'What authors do.',
  wants: [
    { capability: 'fs', why: 'reads files' },
    { capability: 'random', why: 'draws ids' },
  ],
  limits: { hostCalls: 3000 },
  tools: [
    {
      name: 'wait',
      description: 'Waits.',
      effect: 'pure',
      input: v.object({}),
      output: v.object({ order: v.array(v.string()), sum: v.number() }),
      examples: [],
      run: async () => {
        await Promise.all([say('late', 5000), say('early', 10), say('now', 0)]);
        queueMicrotask(() => order.push('job'));
        let sum = 0;
        for await (const each of counting()) sum += each;
        const doubled = await promisify((n: number, done: (e: null, r: number) => void) =>
          setImmediate(() => done(null, n * 2)))(sum);
        return { content: { order, sum: doubled }, summary: 'waited' };
      },
    },
    {
      name: 'fail',
      description: 'Fails.',
      effect: 'pure',
      input: v.object({ how: v.string() }),
      examples: [],
      run: async ({ how }) => {
        await sleep(1);
        await failing[how]?.();
        return { content: '', summary: '' };
      },
    },
    {
      name: 'shims',
      description: 'Uses globals and modules.',
      effect: 'read',
      input: v.object({}),
      examples: [],
      run: () => {
        const emitter = new EventEmitter();
        let heard = '';
        emitter.on('word', (word: string) => { heard = word; });
        emitter.emit('word', 'heard');
        return {
          content: {
            url: new URL('../b?x=1&y=é', 'https://ex.org/a/c').href,
            base64: Buffer.from('äö').toString('base64'),
            hash: createHash('sha256').update('a').digest('hex').slice(0, 8),
            uuid: /^[0-9a-f-]{36}$/.test(randomUUID()) && crypto.getRandomValues(new Uint8Array(4)).length,
            env: Object.keys(process.env).length,
            plain: stripVTControlCharacters('\\u001b[31mred\\u001b[0m'),
            stub: (() => { try { return new MIMEType('a/b'); } catch (error) { return (error as Error).message; } })(),
            blob: ({}) instanceof Blob,
            number: (1234.5).toLocaleString(),
            matched: /(b)(c)?/.test('abd') && [RegExp.$1, RegExp.$2, RegExp.leftContext, RegExp["$'"]],
            sets: /a::(b-c);;[d--e]/v.exec('a::b-c;;d')?.[1],
            clone: structuredClone(new Map([[1, { a: [1] }]])).get(1),
            heard,
          },
          summary: '',
        };
      },
    },
    {
      name: 'many',
      description: 'Reads many files.',
      effect: 'read',
      input: v.object({ paths: v.array(v.string()) }),
      examples: [],
      run: ({ paths }) => {
        const told = fs.readMany(paths).map(({ value, error }) => value?.text ?? error?.code);
        const sizes = fs.statMany(paths).map(({ value, error }) => value?.size ?? error?.code);
        return { content: { told, sizes }, summary: '' };
      },
    },
    {
      name: 'often',
      description: 'Makes many host calls.',
      effect: 'read',
      input: v.object({ calls: v.number() }),
      examples: [],
      run: ({ calls }) => {
        for (let call = 0; call < calls; call += 1) fs.roots();
        return { content: '', summary: 'called ' + calls + ' times' };
      },
    },
    {
      name: 'leave',
      description: 'Awaits nothing of what it begins.',
      effect: 'pure',
      input: v.object({ how: v.string() }),
      examples: [],
      run: ({ how }) => leaving[how](),
    },
  ],
});
declare const nosuch: { thing: unknown };
const left = { content: 'done', summary: 'left' };
const save = async (what: string) => {
  await sleepless();
  throw new Error('could not save ' + what);
};
const sleepless = () => Promise.resolve();
const leaving: Record<string, () => unknown> = {
  plain: () => {
    void save('one');
    return left;
  },
  async: async () => {
    void save('two');
    void Promise.reject(7);
    return left;
  },
  failing: () => {
    void save('three');
    throw new Error('no');
  },
  job: () => {
    queueMicrotask(() => {
      throw new Error('of a job');
    });
    return left;
  },
  many: () => {
    for (let each = 0; each < 2000; each += 1) void save(String(each));
    return left;
  },
  waited: async () => {
    const late = save('late');
    const others = [Promise.reject(new Error('other')), save('again')];
    await sleepless();
    await sleepless();
    await Promise.allSettled(others);
    await late.catch(() => {});
    return left;
  },
};
`;

describe('a plugin of an author', () => {
  let place: Place;
  beforeAll(async () => {
    place = openPlace({ 'a.txt': 'one', 'b.txt': 'two', '.env': 'SECRET=1' });
    mkdirSync(join(place.dir, 'author'));
    writeFileSync(join(place.dir, 'author/plugin.ts'), source);
    const built = await place.cuervo(['plugin', 'build', join(place.dir, 'author')]);
    expect(built.stderr).toContain('note: nosuch is undefined at run time: plugin.ts:31;');
    const binary = join(place.dir, 'author/dist/author.wasm');
    const installed = await place.cuervo([
      'plugin',
      'install',
      binary,
      '--yes',
      '--grant',
      'fs:work',
      '--grant',
      'random',
    ]);
    expect(installed.code).toBe(0);
    expect(installed.stdout + installed.stderr).toContain(
      'It asks for up to 3000 host calls in one call',
    );
  });
  afterAll(() => place[Symbol.dispose]());

  const run = async (tool: string, input: object) => {
    const ran = await place.cuervo(['run', `author.${tool}`, JSON.stringify(input)]);
    return { ...ran, content: ran.stdout.trim() };
  };

  it('may be async: jobs and timers run in their order until its promise settles', async () => {
    expect((await run('wait', {})).content).toBe('{"order":["now","early","late","job"],"sum":12}');
  });

  it.each([
    ['error', 'author.fail: bad luck (at plugin.ts:18)'],
    ['text', 'author.fail: a text'],
    ['nothing', 'author.fail: "run" threw undefined'],
    ['object', 'author.fail: "run" threw an object: {"why":"it is so"}'],
    ['rejected', 'author.fail: RangeError: too far (at plugin.ts:29)'],
    ['never', 'author.fail: "run" waits for a promise that nothing can settle'],
    // The engine tells of the function here, and not of the line in it.
    ['absent', 'author.fail: ReferenceError: nosuch is not defined (at plugin.ts:'],
  ])('tells what was thrown and where: %s', async (how, says) => {
    const failed = await run('fail', { how });
    expect(failed.stderr).toContain(says);
    expect(failed.code).toBe(1);
  });

  const left = 'author.leave: a promise that nothing awaits was rejected: ';
  it.each<[string, string[], number]>([
    ['plain', [`${left}could not save one (at plugin.ts:141)`], 0],
    ['async', [`${left}it was a number: 7`, `${left}could not save two (at plugin.ts:141)`], 0],
    ['failing', [`${left}could not save three (at plugin.ts:141)`, 'author.leave: no (at'], 1],
    ['job', [`${left}of a job (at plugin.ts:`], 0],
    ['many', [`${left}could not save 4 (at plugin.ts:141)`, `${left}and more of them`], 0],
  ])('is told what was rejected and nobody awaited: %s', async (how, says, code) => {
    const ran = await run('leave', { how });
    for (const each of says) expect(ran.stderr).toContain(each);
    expect(ran).toMatchObject({ code, content: code === 0 ? 'done' : '' });
    if (code === 0) expect(ran.stderr.trim().split('\n').at(-1)).toBe('left');
  });

  it('may await late what was rejected', async () => {
    const ran = await run('leave', { how: 'waited' });
    expect(ran).toMatchObject({ code: 0, content: 'done' });
    expect(ran.stderr).not.toContain('rejected');
  });

  it('has globals and modules of Node where it uses them', async () => {
    expect(JSON.parse((await run('shims', {})).content)).toEqual({
      url: 'https://ex.org/b?x=1&y=%C3%A9',
      base64: 'w6TDtg==',
      hash: 'ca978112',
      uuid: 4,
      env: 0,
      plain: 'red',
      stub: expect.stringMatching(/^util.MIMEType does not exist in a plugin/),
      blob: false,
      number: '1,234.5',
      matched: ['b', '', 'a', 'd'],
      sets: 'b-c',
      clone: { a: [1] },
      heard: 'heard',
    });
  });

  it('reads many files in one host call, each for itself', async () => {
    const paths = ['a.txt', 'none.txt', '.env', '../b.txt', 'b.txt'];
    const many = await run('many', { paths });
    expect(many).toMatchObject({ code: 0 });
    const { told, sizes } = JSON.parse(many.content);
    expect(told).toEqual([
      'one',
      'not-found',
      'denied',
      expect.stringMatching(/denied|invalid/),
      'two',
    ]);
    expect([sizes[0], sizes[1], sizes[4]]).toEqual([3, 'not-found', 3]);
    const tooMany = await run('many', { paths: Array(1001).fill('a.txt') });
    expect(tooMany.stderr).toContain('1001 paths, limit 1000');
  });

  it('makes as many host calls as it asked for, and no more than its user lets it', async () => {
    expect(await run('often', { calls: 2500 })).toMatchObject({ code: 0 });
    expect((await run('often', { calls: 3500 })).code).toBe(5);
    mkdirSync(place.home, { recursive: true });
    writeFileSync(join(place.home, 'config.toml'), '[limits]\nmax-asked-host-calls = 2000\n');
    expect((await run('often', { calls: 2500 })).code).toBe(5);
    expect((await run('often', { calls: 1500 })).code).toBe(0);
  });

  it('describes its output', async () => {
    const { stdout } = await place.cuervo(['tools', 'author.wait', '--json']);
    expect(JSON.parse(stdout).outputSchema).toMatchObject({
      type: 'object',
      required: ['order', 'sum'],
    });
  });
});
