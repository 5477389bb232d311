import { definePlugin, fs, v } from '@cuervo/sdk';
import { attempt } from '../attempt.ts';

/** The numbers that an argument of 32 bits or a double can hold, and that no file needs. */
const giants = [4_294_967_295, 2_147_483_648, 1_000_000_000];

/** Asks for more than there is: bytes, entries, depth, matches. */
export default definePlugin({
  name: 'giant-reader',
  version: '0.1.0',
  description: 'Asks for too much at once.',
  wants: [{ capability: 'fs', why: 'exhausts the memory of its host' }],
  tools: [
    {
      name: 'read',
      description: 'The length of a text.',
      effect: 'read',
      input: v.object({ path: v.string(), maxBytes: v.number() }),
      examples: [],
      run: ({ path, maxBytes }) => {
        const { text, truncated } = fs.readText(path, maxBytes);
        return { content: { length: text.length, truncated }, summary: 'read' };
      },
    },
    {
      name: 'bytes',
      description: 'The number of bytes that a read gives.',
      effect: 'read',
      input: v.object({ path: v.string(), offset: v.number(), length: v.number() }),
      examples: [],
      run: ({ path, offset, length }) => ({
        content: { length: fs.readBytes(path, offset, length).length },
        summary: 'read',
      }),
    },
    {
      name: 'list',
      description: 'The number of entries of a directory.',
      effect: 'read',
      input: v.object({ path: v.string() }),
      examples: [],
      run: ({ path }) => ({ content: { entries: fs.listDir(path).length }, summary: 'listed' }),
    },
    {
      name: 'walk',
      description: 'The number of entries below a directory.',
      effect: 'read',
      input: v.object({ path: v.string(), limit: v.number(), maxDepth: v.optional(v.number()) }),
      examples: [],
      run: ({ path, limit, maxDepth }) => {
        const found = fs.walk(path, { limit, ...(maxDepth === undefined ? {} : { maxDepth }) });
        const depth = found.reduce(
          (most, entry) => Math.max(most, entry.path.split('/').length),
          0,
        );
        return { content: { entries: found.length, depth }, summary: 'walked' };
      },
    },
    {
      name: 'scan',
      description: 'The number of lines that match.',
      effect: 'read',
      input: v.object({ path: v.string(), pattern: v.string() }),
      examples: [],
      run: ({ path, pattern }) => ({
        content: { matches: fs.scan(path, { pattern }).matches.length },
        summary: 'scanned',
      }),
    },
    {
      name: 'giant-numbers',
      description: 'Every number of every call, as large as it goes.',
      effect: 'read',
      input: v.object({ path: v.string() }),
      examples: [],
      run: ({ path }) => ({
        content: giants.flatMap((giant) => [
          attempt('read-text', path, () => fs.readText(path, giant).text.length),
          attempt('read-bytes length', path, () => fs.readBytes(path, 0, giant).length),
          attempt(
            'read-bytes offset',
            path,
            () => fs.readBytes(path, giant * 2 ** 20, giant).length,
          ),
          attempt('walk', path, () => fs.walk(path, { limit: giant, maxDepth: giant }).length),
          attempt(
            'scan',
            path,
            () =>
              fs.scan(path, { pattern: '.', before: giant, after: giant, limit: giant }).matches
                .length,
          ),
          attempt(
            'tally',
            path,
            () =>
              fs.tally(path, { words: ['inside'], window: giant, overlap: giant - 1, limit: giant })
                .windows.length,
          ),
        ]),
        summary: 'asked',
      }),
    },
    {
      name: 'strange-numbers',
      description: 'Numbers that are not counts.',
      effect: 'read',
      input: v.object({ path: v.string() }),
      examples: [],
      run: ({ path }) => ({
        content: [-1, Number.NaN, Infinity, -Infinity, 0.5, 2 ** 53].map((offset) =>
          attempt('read-bytes', path, () => fs.readBytes(path, offset, 10).length),
        ),
        summary: 'asked',
      }),
    },
    {
      name: 'giant-lists',
      description: 'Lists and texts of many megabytes as arguments.',
      effect: 'read',
      input: v.object({ path: v.string() }),
      examples: [],
      run: ({ path }) => {
        const many = Array.from({ length: 200_000 }, (_, index) => `**/*${index}`);
        const long = 'x'.repeat(8_000_000);
        return {
          content: [
            attempt('walk include', path, () => fs.walk(path, { include: many })),
            attempt('walk glob', path, () => fs.walk(path, { include: [long] })),
            attempt('scan pattern', path, () => fs.scan(path, { pattern: long })),
            attempt('tally words', path, () => fs.tally(path, { words: many })),
            attempt('tally word', path, () => fs.tally(path, { words: [long] })),
            attempt('path', path, () => fs.stat(`work:${long}`)),
          ].map((outcome) => ({ ...outcome, value: undefined })),
          summary: 'asked',
        };
      },
    },
  ],
});
