import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace } from '../support/place.ts';
import { watWorld } from '../support/wat-world.ts';

const wit = `package docs:words@0.1.0;

/// Words of texts.
interface text {
  // Not about anything.
  /// Counts the words
  /// of a text.
  count: func(n: u32) -> u32;
  size: func(n: u32) -> u32;
  /** Halves a number. */
  half: func(n: u32) -> u32;
}

/// A world.
world w {
  export text;
  /// Doubles a number.
  export double: func(n: u32) -> u32;
}
`;

const same = (name: string) => `(func (export "${name}") (param i32) (result i32) local.get 0)`;
const core = `(module (memory (export "memory") 1) ${['docs:words/text@0.1.0#count', 'docs:words/text@0.1.0#size', 'docs:words/text@0.1.0#half', 'double'].map(same).join(' ')})`;
const toml = (tools: string) => `name = "words"
version = "0.1.0"
description = "Counts."
${tools}
[build]
command = ["true"]
file = "made.wasm"
`;

describe('comments in the WIT of an author', () => {
  const described = async (tools: string): Promise<Record<string, string>> => {
    using place = openPlace({ 'plugin.toml': toml(tools), 'wit/w.wit': wit });
    writeFileSync(join(place.work, 'made.wasm'), await watWorld(core, wit));
    expect(await place.cuervo(['plugin', 'build', '.'])).toMatchObject({ code: 0 });
    const ran = await place.cuervo(['plugin', 'inspect', 'dist/words.wasm', '--json']);
    const { tools: found } = ran.rows[0] as { tools: { name: string; description: string }[] };
    return Object.fromEntries(found.map(({ name, description }) => [name, description]));
  };

  it('describe its functions, before their types', async () => {
    const from = ', exported by docs:words/text@0.1.0';
    expect(await described('')).toEqual({
      'text-count': `Counts the words of a text. (count: func(n: u32) -> u32${from})`,
      'text-size': `size: func(n: u32) -> u32${from}`,
      'text-half': `Halves a number. (half: func(n: u32) -> u32${from})`,
      double: 'Doubles a number. (double: func(n: u32) -> u32)',
    });
  });

  it('stand behind the words of plugin.toml', async () => {
    const tools =
      '[[tools]]\nname = "double"\ndescription = "Mine."\n[[tools]]\nname = "text-half"';
    expect(await described(tools)).toEqual({
      double: 'Mine.',
      'text-half': expect.stringMatching(/^Halves a number\. \(half: /),
    });
  });
});
