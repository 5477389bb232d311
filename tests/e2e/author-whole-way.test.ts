import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TomlLanguage } from '../../sdk/languages/language.ts';
import { whyNotBuilt } from '../../sdk/languages/toolchains.ts';
import { expectGranted, expectNamed } from '../support/new-plugin.ts';
import { openPlace } from '../support/place.ts';
import { lacksRegistries, openDockerRegistry, openVerdaccio } from '../support/real-registries.ts';
import { toolchainEnv } from '../support/toolchain-env.ts';

/** What an author adds by the page of `plugin new`: a third tool, in the source and in `plugin.toml`. */
const edits: Readonly<Record<TomlLanguage, [file: string, before: string, added: string]>> = {
  rust: [
    'src/main.rs',
    '        _ => Err(',
    `        "longest" => {
            let text = text_of(input, "text")?;
            let word = text.split_whitespace().max_by_key(|word| word.len()).unwrap_or("");
            Ok(json!({ "content": { "word": word }, "summary": format!("longest: {word}") }))
        }
`,
  ],
  go: [
    'main.go',
    '\tdefault:\n',
    `	case "longest":
		word := ""
		for _, each := range strings.Fields(given.Text) {
			if len(each) > len(word) {
				word = each
			}
		}
		json.NewEncoder(os.Stdout).Encode(map[string]any{
			"content": map[string]any{"word": word}, "summary": "longest: " + word,
		})
`,
  ],
  c: [
    'main.c',
    '  } else {\n    fail(NOT_FOUND, tool',
    `  } else if (!strcmp(tool, "longest")) {
    char *text = json_text(input, "text"), *word = "";
    for (char *each = strtok(text, " "); each; each = strtok(NULL, " "))
      if (strlen(each) > strlen(word)) word = each;
    char summary[512];
    snprintf(summary, sizeof summary, "longest: %s", word);
    printf("{\\"content\\":{\\"word\\":");
    json_print(stdout, word);
    printf("},\\"summary\\":");
    json_print(stdout, summary);
    puts("}");
`,
  ],
  python: [
    'plugin.py',
    'def counted(',
    `def longest(input):
    word = max(input["text"].split(), key=len, default="")
    return {"word": word}, f"longest: {word}"


`,
  ],
};

const described = `
[[tools]]
name = "longest"
description = "Longest word of a text."
effect = "pure"
examples = [{ text = "one three" }]

[tools.input]
type = "object"
properties.text = { type = "string", description = "any text" }
required = ["text"]
additionalProperties = false
`;

describe('a plugin goes the whole way: written, tested, published, installed elsewhere, used', () => {
  for (const [language, [file, before, added]] of Object.entries(edits)) {
    const missing = whyNotBuilt(language as TomlLanguage, process.env) ?? lacksRegistries;
    it.skipIf(missing !== '')(
      `in ${language}${missing === '' ? '' : ` (${missing})`}`,
      async () => {
        using place = openPlace({ 'notes.txt': 'three words here' });
        using npm = await openVerdaccio();
        using oci = await openDockerRegistry();
        writeFileSync(join(place.dir, 'npmrc'), npm.npmrc);
        const env = {
          ...toolchainEnv,
          npm_config_userconfig: join(place.dir, 'npmrc'),
          // Nothing of it is shared with what other tests do at the same time.
          npm_config_cache: join(place.dir, 'npm'),
          npm_config_update_notifier: 'false',
          XDG_CACHE_HOME: join(place.dir, 'cache'),
        };
        const folder = join(place.work, 'my-words');
        const author = async (...args: string[]) => {
          const ran = await place.cuervo(args, { env, cwd: folder, giveUpMs: 900_000 });
          expect(ran.code, `${args.join(' ')}: ${ran.stderr}`).toBe(0);
          return ran.stdout;
        };
        await place.cuervo(['plugin', 'new', 'my-words', '--lang', language], { env });
        expectNamed(folder);
        const edit = (name: string, change: (text: string) => string): void => {
          const path = join(folder, name);
          writeFileSync(path, change(readFileSync(path, 'utf8')));
        };
        edit(file, (text) => text.replace(before, added + before));
        edit('plugin.toml', (text) => text + described);
        edit('my-words.cases.json', (text) => {
          const one = { name: 'longest', tool: 'longest', input: { text: 'a three is' } };
          const expected = { content: { word: 'three' }, summary: 'longest: three' };
          return JSON.stringify([...JSON.parse(text), { ...one, expect: expected }]);
        });
        expect(await author('plugin', 'test')).toContain('4 passed');
        await expectGranted(place);
        const target = `oci://${oci.host}/me/my-words`;
        // To both of one build, which takes long in some languages.
        const published = await author('plugin', 'publish', 'npm', target, '--yes');
        expect(published).toContain('published npm:my-words@0.1.0\n');
        expect(published).toContain(`published ${target}`);

        // What is removed stays prepared for the other source, where it is the same binary.
        const home = join(place.dir, 'elsewhere');
        const user = (...args: string[]) => place.cuervo(args, { env, home });
        for (const source of ['npm:my-words', target]) {
          expect(await user('plugin', 'install', source, '--yes')).toMatchObject({ code: 0 });
          const asked = ['ask', 'my-words.count-file {"path":"notes.txt"}', '--model', 'none'];
          const denied = await user(...asked);
          expect(denied.stdout + denied.stderr).toContain('fs:work');
          expect(denied.stdout).not.toContain('3 words');
          await user('plugin', 'grant', 'my-words', 'fs:work');
          expect((await user(...asked)).stdout).toContain('3 words in notes.txt');
          const longest = await user('run', 'my-words.longest', 'text=a three is');
          expect(JSON.parse(longest.stdout)).toEqual({ word: 'three' });
          // No input traps, also what is no text in most languages.
          const half = await user('run', 'my-words.longest', '{"text":"a three\\ud83d"}');
          expect([0, 2]).toContain(half.code);
          expect(await user('plugin', 'remove', 'my-words')).toMatchObject({ code: 0 });
        }
      },
      900_000,
    );
  }
});
