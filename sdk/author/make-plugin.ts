import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BuildError } from '../build/build-error.ts';
import { type Language, languages } from '../languages/language.ts';
import { whyNotBuilt } from '../languages/toolchains.ts';
import { linkSdk } from './link-sdk.ts';

/** The name that stands in the templates. */
const placeholder = 'my-tool';

export type MadePlugin = {
  /** as it was named */
  folder: string;
  files: string[];
  /** what is to be installed before it builds */
  missing: string | undefined;
};

export type PluginMaker = {
  sdkFolder: string;
  /** the SDK that an editor finds */
  linkedSdk: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Why a plugin of this description would be refused. */
  whyRefused(manifest: { name: string }): string | undefined;
  /** What is to be added before JavaScript can be built. */
  whyNoBuildTool(): string | undefined;
};

/** @throws {BuildError} for an invalid name, `conflict` for a folder in use */
export function makePlugin(named: string, language: string, maker: PluginMaker): MadePlugin {
  const lang = languages.find((each) => each === language);
  if (lang === undefined) {
    throw new BuildError(`--lang ${language} is not known`, {
      hint: `Use one of ${languages.join(', ')}.`,
    });
  }
  const folder = resolve(named);
  const name = basename(folder);
  const manifest = { name, version: '0.1.0', description: 'A plugin.', wants: [] };
  const wrong = maker.whyRefused(manifest);
  if (wrong !== undefined) {
    throw new BuildError(`"${name}" is not a name for a plugin: ${wrong}`, {
      hint: 'A name is kebab-case and not taken: cuervo plugin new link-check',
    });
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new BuildError(`${named} exists and is not empty`, {
      code: 'conflict',
      hint: 'Name a folder that does not exist yet.',
    });
  }
  const files = templateFiles(join(maker.sdkFolder, 'templates'), lang);
  for (const [path, text] of files) {
    const file = join(folder, path.replaceAll(placeholder, name));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll(placeholder, name));
  }
  linkSdk(folder, maker.linkedSdk);
  return {
    folder: named,
    files: files.map(([path]) => path.replaceAll(placeholder, name)).sort(),
    missing: lang === 'ts' || lang === 'js' ? maker.whyNoBuildTool() : whyNotBuilt(lang, maker.env),
  };
}

function templateFiles(templates: string, lang: Language): [string, string][] {
  const own = filesBelow(join(templates, lang));
  const names = new Set(own.map(([path]) => path));
  const isScript = lang === 'ts' || lang === 'js';
  const common = filesBelow(join(templates, 'common')).filter(([path]) => {
    if (path === 'plugin.toml') return !isScript;
    if (path.endsWith('.cases.json')) return lang !== 'ts';
    return path !== 'README.md' && !names.has(path);
  });
  const readme = readFileSync(join(templates, 'common', 'README.md'), 'utf8')
    .replace('@@NEEDS@@', needs[lang])
    .replace('@@MORE@@', another[lang])
    .replace('@@FILES@@', tableOf(lang));
  return [...own, ...common, ['README.md', readme] as [string, string]].map(([path, text]) => [
    path === 'gitignore' ? '.gitignore' : path,
    text,
  ]);
}

function filesBelow(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    });
}

const needs: Readonly<Record<Language, string>> = {
  ts: 'It needs nothing but cuervo, with its builder: `cuervo add build`. An editor finds the types of `@cuervo/sdk` through the link in `node_modules`, which each build renews.',
  js: 'It needs nothing but cuervo, with its builder: `cuervo add build`.',
  rust: 'It needs Rust with the target for WASI: `rustup target add wasm32-wasip1`. The first build loads `serde_json`.',
  go: 'It needs Go 1.21 or later, and no network.',
  c: 'It needs a C compiler for WASI: `pipx install ziglang` brings one, or `pip install ziglang` in an environment of Python.',
  python:
    'It needs componentize-py: `pipx install componentize-py`, or `pip install componentize-py` in an environment of Python.',
};

/** How a second tool is made of the first ones. */
const another: Readonly<Record<Language, string>> = {
  ts: 'Another tool is another entry of `tools`. What it needs of the host stands in `wants`, with the reason that its users read.',
  js: 'Another tool is another entry of `tools`. What it needs of the host stands in `wants`, with the reason that its users read.',
  rust: told('another arm of the `match` in `call`, in `src/main.rs`'),
  go: told('another case of the `switch` in `main.go`'),
  c: told('another branch of `main`, in `main.c`'),
  python: told(
    'another function in `plugin.py`, with an underscore for each hyphen; host calls are modules of `wit_world.imports`',
  ),
};

function told(where: string): string {
  return `Another tool is another \`[[tools]]\` in \`plugin.toml\`, and ${where}. What it needs of the host stands in \`[[wants]]\`, with the reason that its users read.`;
}

const sources: Readonly<Record<Language, [string, string][]>> = {
  ts: [
    ['plugin.ts', 'the plugin: its name, what it wants and why, its tools'],
    ['my-tool.cases.ts', 'its cases'],
  ],
  js: [
    ['plugin.js', 'the plugin: its name, what it wants and why, its tools'],
    ['my-tool.cases.json', 'its cases'],
  ],
  rust: [['src/main.rs', 'the tools: a program that is told which of them to be']],
  go: [['main.go', 'the tools: a program that is told which of them to be']],
  c: [
    ['main.c', 'the tools: a program that is told which of them to be'],
    ['json.h', 'as much of JSON as they need'],
  ],
  python: [['plugin.py', 'the tools: one function for each']],
};

function tableOf(lang: Language): string {
  const toml: [string, string][] =
    lang === 'ts' || lang === 'js'
      ? []
      : [
          ['plugin.toml', 'what the plugin is, what it wants and why, its tools and their inputs'],
          ['my-tool.cases.json', 'its cases'],
        ];
  const rows = [...sources[lang], ...toml].map(([file, what]) => `| \`${file}\` | ${what} |`);
  return ['| file | what |', '|---|---|', ...rows].join('\n');
}
