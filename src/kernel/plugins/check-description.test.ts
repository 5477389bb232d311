import { describe, expect, it } from 'vitest';
import { programPaths } from '../../config/paths.ts';
import { checkDescription } from './check-description.ts';

const { builtins } = programPaths();

const manifest = {
  name: 'words',
  version: '0.1.0',
  description: 'Counts words.',
  wants: [{ capability: 'fs', why: 'reads' }],
};
const tool = {
  name: 'count',
  description: 'Counts.',
  inputSchema: '{"type":"object"}',
  effect: 'pure',
  examples: ['{}'],
};
const why = (change: object, tools: readonly object[] = [tool]) =>
  checkDescription({ manifest: { ...manifest, ...change }, tools }, builtins);
const wants = (...names: string[]) => ({
  wants: names.map((capability) => ({ capability, why: 'x' })),
});

describe('checkDescription()', () => {
  it('finds nothing in a description that can be installed', () => {
    expect(why({})).toBeUndefined();
  });

  it.each([
    ['a version', { version: 'one' }, 'version is "one", not a version like "0.1.0"'],
    [
      'a character',
      { description: 'a\u001bb' },
      'description holds the unprintable character U+001B',
    ],
    [
      'a capability',
      wants('network'),
      'wants[0].capability is "network", not one of fs, fs-write,',
    ],
    ['a doubled capability', wants('fs', 'kv', 'fs'), 'wants[2] names a capability a second time'],
  ])('names %s that is not right', (_, change, reason) => {
    expect(why(change)).toContain(`the plugin's definition: ${reason}`);
  });

  it('names a tool that is there twice, or says too much', () => {
    expect(why({}, [tool, tool])).toBe("the plugin's definition names the tool count twice");
    const long = { ...tool, description: 'x'.repeat(4_001) };
    expect(why({}, [long])).toBe(
      "the plugin's definition: description of tool count has 4001 characters, limit 4000",
    );
  });

  it('keeps the names of the built-in plugins', () => {
    expect(why({ name: 'file' })).toBe('"file" is the name of a built-in plugin');
    expect(why({ name: 'passages' })).toBe('"passages" is the name of tools of cuervo itself');
  });
});
