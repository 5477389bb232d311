import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capabilityNames, capabilityRow, grantDetail } from '../contracts/capabilities.ts';
import { leastEffect } from '../contracts/capability.ts';
import { camelCase } from '../lib/text/words.ts';

type Declared = { name: string; kind: 'function' | 'type'; code: string; said: string };

const declaration =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export (function|type|const|class) (\w+)/g;

/**
 * `docs/sdk.md`: every call of the host and every type that an author sees, from the sources of the
 * SDK.
 *
 * @param root folder of package.json
 * @param types what the WIT gives now: path relative to the root -> text
 */
export function sdkReference(root: string, types: ReadonlyMap<string, string>): string {
  const read = (path: string): string =>
    types.get(`sdk/${path}`) ?? readFileSync(join(root, 'sdk', path), 'utf8');
  const sections = [
    '# The SDK\n\n<!-- Written by npm run gen from sdk/. -->\n',
    'What `@cuervo/sdk` exports. [write-plugins.md](write-plugins.md) says how a plugin is written, [`wit/host`](../wit/host/host.wit) what the host promises. A failed host call throws `HostError` with the case as `code`.\n',
    ...section('Plugins and tools', ['define-plugin.ts'], read),
    ...section('Errors', ['host-error.ts', 'tool-error.ts'], read),
    `The codes of a host call: ${casesOf(read('gen/interfaces/cuervo-host-types.d.ts'), 'HostError')}. Those of a tool: ${casesOf(read('gen/interfaces/cuervo-plugin-tools.d.ts'), 'ToolError')}.\n`,
    ...section('Paths', ['paths.ts'], read, 'paths.'),
    ...capabilityNames.flatMap((name) => {
      const space = camelCase(name);
      const face = `host/${name}.ts`;
      // A test names a face that is not written yet.
      const lines = existsSync(join(root, 'sdk', face)) ? declaredIn(read(face)) : [];
      const detail = grantDetail(name);
      const grant =
        capabilityRow(name).grant === 'none'
          ? 'Needs no grant.'
          : `Granted as \`${detail === undefined ? name : `${name}:${detail.placeholder}`}\`.`;
      const said = `\`import { ${space} } from '@cuervo/sdk'\`, and \`${name}\` in \`wants\`. ${grant}`;
      return [
        `## ${space}\n`,
        `${said}\n`,
        `${effectTable(name)}\n`,
        ...lines.map((each) => shown(each, `${space}.`)),
        ...contractTypes(read(`gen/interfaces/cuervo-host-${name}.d.ts`)),
      ];
    }),
    ...section(
      '@cuervo/sdk/testing',
      ['testing/load-plugin.ts', 'testing/fake-host.ts', 'testing/cases.ts'],
      read,
    ),
  ];
  return `${sections.join('\n').trimEnd()}\n`;
}

function section(
  title: string,
  files: readonly string[],
  read: (path: string) => string,
  before = '',
): string[] {
  const declared = files.flatMap((file) => declaredIn(read(file)));
  return [`## ${title}\n`, ...declared.map((each) => shown(each, before))];
}

/** The types of the contract that the calls above name as `host.…`, without the calls. */
function contractTypes(contract: string): string[] {
  const types = contract
    .split(/\n(?= {2}(?:\/\*\*|export ))/)
    .filter((part) => /^ {2}export (?:interface|type) (?!\w+ = import\()/m.test(part))
    .map((part) =>
      part
        .replace(/\n}\s*$/, '')
        .replace(/\/\*\*\s*\* # Variants[\s\S]*?\*\/\s*/, '')
        .replace(/\/\*\*\s*\* ((?:(?!\*\/)[\s\S])*?)\s*\*\//g, (_, text) => `/** ${plain(text)} */`)
        .replace(/,$/gm, ';')
        .replace(/^ {2}(?:export )?/gm, '')
        .trim(),
    );
  return types.length === 0
    ? []
    : [`### Types of the contract\n\n\`\`\`ts\n${types.join('\n\n')}\n\`\`\`\n`];
}

/** The tags of a variant, as words. */
function casesOf(contract: string, variant: string): string {
  const [tags = ''] = new RegExp(`export type ${variant} = [^;]*`).exec(contract) ?? [];
  const names = tags.match(/\w+/g)?.slice(3) ?? [];
  return [...new Set(names)]
    .map((name) => contract.match(new RegExp(`interface ${name} \\{\\s*tag: '([^']+)'`))?.[1])
    .map((tag) => `\`${tag}\``)
    .join(', ');
}

/** The effect that a tool has to promise for each call of the contract. */
function effectTable(capability: Parameters<typeof capabilityRow>[0]): string {
  const calls = Object.keys(capabilityRow(capability).calls);
  const rows = calls.map(
    (call) => `| \`${capability}.${call}\` | \`${leastEffect(`${capability}.${call}`)}\` |`,
  );
  return ['| call of the contract | least effect of the tool |', '|---|---|', ...rows].join('\n');
}

function shown({ name, kind, code, said }: Declared, before: string): string {
  const title = kind === 'function' ? `${before}${name}()` : name;
  return `### ${title}\n\n${said === '' ? '' : `${said}\n\n`}\`\`\`ts\n${code}\n\`\`\`\n`;
}

function declaredIn(source: string): Declared[] {
  return [...source.matchAll(declaration)].map((match) => {
    const [whole, comment = '', word, name = ''] = match;
    const from = (match.index ?? 0) + whole.length - `export ${word} ${name}`.length;
    const kind = word === 'function' ? 'function' : 'type';
    return { name, kind, said: plain(comment), code: codeFrom(source, from, word ?? '') };
  });
}

/** A function without its body, anything else whole. */
function codeFrom(source: string, from: number, word: string): string {
  const text = source.slice(from).replace(/^export /, '');
  if (word === 'function') return text.slice(0, text.search(/ \{\n/)).replace(/\n\s*/g, ' ');
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if ('{(['.includes(letter)) depth += 1;
    if ('})]'.includes(letter)) depth -= 1;
    if (depth === 0 && (letter === ';' || (letter === '}' && word === 'class')))
      return text.slice(0, at + 1);
  }
  return text.trim();
}

/** A comment as text: its tags as sentences of their own. */
function plain(comment: string): string {
  return comment
    .replace(/^\s*\* ?/gm, '')
    .trim()
    .replace(/^@param (?:options\.)?(\w+) /gm, '- `$1`: ')
    .replace(/^@returns /gm, '- gives ')
    .replace(/^@throws \{(\w+)\} ?/gm, '- throws `$1` ')
    .replace(/([^\n])\n(?!-|\n)/g, '$1 ');
}
