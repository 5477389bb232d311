import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languageOf } from '../../sdk/languages/language.ts';
import { whyNotBuilt } from '../../sdk/languages/toolchains.ts';
import { capabilityNames } from '../../src/contracts/capabilities.ts';
import { expectInstallable } from '../support/expect-installable.ts';
import { openPlace } from '../support/place.ts';
import { root } from '../support/run-cuervo.ts';
import { toolchainEnv } from '../support/toolchain-env.ts';

const folder = join(root, 'examples/plugins');
const named = readdirSync(folder);
const casesOf = (name: string): string | undefined =>
  readdirSync(join(folder, name)).find((file) => /\.cases\.(ts|json)$/.test(file));
describe('the example plugins', () => {
  for (const name of named.filter((each) => casesOf(each) !== undefined)) {
    const isToml = existsSync(join(folder, name, 'plugin.toml'));
    const language = isToml ? (languageOf(join(folder, name)) ?? 'c') : 'ts';
    const missing = whyNotBuilt(language, process.env);
    it.skipIf(missing !== undefined)(
      `pass their cases: ${name} (${missing ?? language})`,
      async () => {
        using place = openPlace();
        const copy = join(place.work, name);
        cpSync(join(folder, name), copy, {
          recursive: true,
          filter: (path) => !/[\\/](?:dist|target|node_modules)$/.test(path),
        });
        const ran = await place.cuervo(['plugin', 'test', name], {
          env: toolchainEnv,
          giveUpMs: 900_000,
        });
        expect({ code: ran.code, out: ran.stdout, error: ran.stderr }).toMatchObject({ code: 0 });
        expect(ran.stdout).toMatch(/^\d+ passed$/m);
        if (language === 'ts') await expectInstallable(place, name, `${name}/dist/${name}.wasm`);
      },
      900_000,
    );
  }

  it('use every interface of the host between them but that of the plugin script', () => {
    const texts = named.flatMap((name) =>
      ['plugin.ts', 'plugin.toml']
        .map((file) => join(folder, name, file))
        .filter(existsSync)
        .map((file) => readFileSync(file, 'utf8')),
    );
    const unused = capabilityNames.filter(
      (name) => !texts.some((text) => new RegExp(`capability(?::| =) ['"]${name}['"]`).test(text)),
    );
    expect(unused).toEqual(['tools']);
  });
});

describe('docs/languages.md', () => {
  const page = readFileSync(join(root, 'docs/languages.md'), 'utf8');
  it.each([
    ['rust', 'glossary/src/lib.rs'],
    ['c', 'time-log/src/main.c'],
  ])('shows what an example has, line by line: %s', (language, path) => {
    const source = readFileSync(join(folder, path), 'utf8').split('\n');
    const [, block] = new RegExp(`\\n\`\`\`${language}\\n(.+?)\\n\`\`\``, 's').exec(page) ?? [];
    const shown = (block ?? '').split('\n');
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter((line) => !source.includes(line))).toEqual([]);
  });
});
