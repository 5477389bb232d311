import { join } from 'node:path';
import { readIfPresent } from '../languages/read-if-present.ts';
import type { JsonObject } from './parse-cases.ts';

/** A remark of a careful user, and how to fix it. */
export type Finding = { level: 'ok' | 'fix' | 'note'; what: string; fix?: string };

export type JudgedPlugin = {
  folder: string;
  isToml: boolean;
  isPython: boolean;
  description: string;
  licence?: string | undefined;
  bytes: number;
  /** its bytes as text */
  size: string;
  wants: readonly { capability: string; why: string }[];
  tools: readonly CheckedTool[];
  /** Why a tool does not take an input. */
  whyRefused(tool: string, schema: JsonObject, input: JsonObject): string | undefined;
};

/** Bytes that a user wonders about: an engine of JavaScript has 1.3 MB, one of Python 18. */
const largeBytes = 5_000_000;
const largePythonBytes = 25_000_000;
/** A heading of the page that `plugin new` writes. */
const templateHeading = '\n## Edit, test, run\n';
const minDescription = 15;
const minWhy = 12;
/** A description that its author still has to write; one may well speak of such words. */
const unwritten =
  /^\W*(?:todo|fixme|tbd)\b|^(?:(?:an?|the|my) )?(?:plugin|tool|description)\b.{0,8}$/i;

/** What a careful user says of a plugin that was built, without running it. */
export function judgePlugin(plugin: JudgedPlugin): Finding[] {
  const { isToml } = plugin;
  return [
    ...describedWell('the plugin', plugin.description),
    ...licence(plugin, isToml),
    ...page(plugin.folder),
    ...size(plugin.bytes, plugin.size, plugin.isPython),
    ...plugin.wants.flatMap(explained),
    ...plugin.tools.flatMap((tool) => [
      ...describedWell(`the tool ${tool.name}`, tool.description),
      ...examples(tool, isToml, plugin.whyRefused),
    ]),
  ];
}

function describedWell(who: string, description: string): Finding[] {
  const text = description.trim();
  if (text.length < minDescription || unwritten.test(text)) {
    return [
      {
        level: 'fix',
        what: `${who} is described as "${text}"`,
        fix: 'Say in one sentence what it does and of what: people and models choose by it.',
      },
    ];
  }
  return [];
}

function licence({ licence: name }: { licence?: string | undefined }, isToml: boolean): Finding[] {
  if (name !== undefined) return [{ level: 'ok', what: `licence ${name}` }];
  const fix = `Add one by its SPDX name: ${isToml ? 'licence = "MIT"' : "licence: 'MIT'"}`;
  return [{ level: 'fix', what: 'it has no licence', fix }];
}

/** The page that people read before they install it, on npm for instance. */
function page(folder: string): Finding[] {
  const text = readIfPresent(join(folder, 'README.md'));
  const fix = 'Say what it does for the people who install it: the page goes out with the plugin.';
  if (text === undefined) return [{ level: 'note', what: 'it has no README.md', fix }];
  if (!text.includes(templateHeading)) return [];
  return [{ level: 'note', what: 'README.md is still the page of its author', fix }];
}

function size(bytes: number, said: string, isPython: boolean): Finding[] {
  const text = `${said}${isPython ? ', with the interpreter of Python' : ''}`;
  if (bytes <= (isPython ? largePythonBytes : largeBytes)) return [{ level: 'ok', what: text }];
  return [
    {
      level: 'note',
      what: `it has ${text}, and most have below 2 MB`,
      fix: isPython
        ? 'Drop packages that are not used.'
        : 'QuickJS is smaller than StarlingMonkey; strip debug information; drop what is not used.',
    },
  ];
}

function explained({ capability, why }: { capability: string; why: string }): Finding[] {
  const text = why.trim();
  const isOnlyName =
    text.toLowerCase().replace(/[^a-z]/g, '') === capability.replace(/[^a-z]/g, '');
  if (text.length >= minWhy && !isOnlyName) return [];
  return [
    {
      level: 'fix',
      what: `it wants ${capability} because "${text}"`,
      fix: 'Say what for, in words of the user: "reads the files whose words it counts".',
    },
  ];
}

export type CheckedTool = {
  name: string;
  description: string;
  inputSchema: JsonObject;
  examples: JsonObject[];
  effect: string;
};

function examples(
  { name, inputSchema, examples: given }: CheckedTool,
  isToml: boolean,
  whyRefused: JudgedPlugin['whyRefused'],
): Finding[] {
  if (given.length === 0) {
    return [
      {
        level: 'fix',
        what: `the tool ${name} has no example`,
        fix: `Add an input to learn from: examples${isToml ? ' =' : ':'} [{ … }]`,
      },
    ];
  }
  return given.flatMap((example): Finding[] => {
    const reason = whyRefused(name, inputSchema, example);
    if (reason === undefined) return [];
    const what = `an example does not pass the schema: ${reason}`;
    return [{ level: 'fix', what, fix: 'Correct the example or the schema.' }];
  });
}
