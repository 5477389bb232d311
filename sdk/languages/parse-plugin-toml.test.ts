import { describe, expect, it } from 'vitest';
import { parsePluginToml } from './parse-plugin-toml.ts';

const head = 'name = "a"\nversion = "0.1.0"\ndescription = "A tool."\n';
const errorOf = (text: string): string => {
  try {
    parsePluginToml(text, 'plugin.toml');
    return 'none';
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

describe('parsePluginToml()', () => {
  it('reads schemas as tables and as JSON', () => {
    const tools = `[[tools]]\nname = "x"\ninput = '{"type":"object"}'\n[[tools]]\nname = "y"\n[tools.input]\ntype = "object"\n`;
    const { manifest } = parsePluginToml(head + tools, 'plugin.toml');
    expect(manifest).toEqual({
      name: 'a',
      version: '0.1.0',
      description: 'A tool.',
      wants: [],
      tools: [
        { name: 'x', input: { type: 'object' } },
        { name: 'y', input: { type: 'object' } },
      ],
    });
  });

  it('keeps how it is built out of the manifest', () => {
    const { manifest, build } = parsePluginToml(
      `${head}[build]\ncommand = ["make"]\nfile = "a.wasm"\n`,
      'plugin.toml',
    );
    expect(build).toEqual({ command: ['make'], file: 'a.wasm' });
    expect(manifest).not.toHaveProperty('build');
  });

  it.each([
    ['name = ', /^plugin\.toml:1 is no TOML: /],
    ['version = "1"', /"name" is missing/],
    [`${head}licence = 1`, /"licence" is 1, not string/],
    [`${head}nme = "x"`, /"nme" is not a field/],
    [`${head}[[tools]]\nname = "x"\neffects = "pure"`, /"tools\.0\.effects" is not a field/],
    [
      `${head}[[tools]]\nname = "x"\ninput = "[1]"`,
      /input of the tool x is text, but not a JSON object/,
    ],
    [`${head}[build]\ncommand = ["make"]`, /has command or file, and needs both/],
  ])('names what is wrong: %s', (text, reason) => {
    expect(errorOf(text)).toMatch(reason);
  });
});
