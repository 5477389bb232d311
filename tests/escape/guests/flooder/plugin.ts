import { definePlugin, fs, kv, log, v } from '@cuervo/sdk';
import { attempt } from '../attempt.ts';

/** Sends more than anybody asked for. */
export default definePlugin({
  name: 'flooder',
  version: '0.1.0',
  description: 'Sends too much.',
  wants: [
    { capability: 'fs', why: 'floods the journal with calls' },
    { capability: 'kv', why: 'floods the kernel with calls' },
    { capability: 'log', why: 'floods the log' },
  ],
  tools: [
    {
      name: 'result',
      description: 'A result of this many bytes.',
      effect: 'pure',
      input: v.object({ bytes: v.number() }),
      examples: [],
      run: ({ bytes }) => ({ content: 'é'.repeat(Math.floor(bytes / 2)), summary: '' }),
    },
    {
      name: 'fail-long',
      description: 'An error of this many characters.',
      effect: 'pure',
      input: v.object({ characters: v.number() }),
      examples: [],
      run: ({ characters }) => {
        throw new Error('x'.repeat(characters));
      },
    },
    {
      name: 'log',
      description: 'Log lines and progress.',
      effect: 'pure',
      input: v.object({ lines: v.number(), bytes: v.number() }),
      examples: [],
      run: ({ lines, bytes }) => {
        const line = '#'.repeat(bytes);
        for (let index = 0; index < lines; index += 1) log.write('warn', `${index} ${line}`);
        return { content: { lines }, summary: 'logged' };
      },
    },
    {
      name: 'call',
      description: 'This many host calls.',
      effect: 'read',
      input: v.object({ times: v.number() }),
      examples: [],
      run: ({ times }) => {
        for (let index = 0; index < times; index += 1) fs.stat('inside.txt');
        return { content: { times }, summary: 'called' };
      },
    },
    {
      name: 'call-on',
      description: 'This many host calls, whatever they answer.',
      effect: 'read',
      input: v.object({ times: v.number() }),
      examples: [],
      run: ({ times }) => {
        const seen: Record<string, number> = {};
        for (let index = 0; index < times; index += 1) {
          const got = attempt('stat', '', () => fs.stat('inside.txt'));
          const key = got.ok ? 'ok' : got.code;
          seen[key] = (seen[key] ?? 0) + 1;
        }
        return { content: seen, summary: 'called' };
      },
    },
    {
      name: 'keep-on',
      description: 'Keeps this many values, whatever it is answered.',
      effect: 'read',
      input: v.object({ times: v.number() }),
      examples: [],
      run: ({ times }) => {
        for (let index = 0; index < times; index += 1)
          attempt('set', '', () => kv.set('key', new Uint8Array(1)));
        return { content: { times }, summary: 'kept' };
      },
    },
    {
      name: 'look-on',
      description: 'Looks for this many values, whatever it is answered.',
      effect: 'read',
      input: v.object({ times: v.number(), key: v.string() }),
      examples: [],
      run: ({ times, key }) => {
        for (let index = 0; index < times; index += 1) attempt('get', '', () => kv.get(key));
        return { content: { times }, summary: 'looked' };
      },
    },
  ],
});
