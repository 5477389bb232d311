import { join } from 'node:path';
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import type { Effect } from '../contracts/tool.ts';
import { escapeLine } from '../lib/text/escape.ts';

/** Characters of a title. */
const maxTitle = 120;
/** Bytes of one side of a difference; a longer one is only named. */
const maxDiffBytes = 256 * 1024;

/** How things of a workspace are shown to the person behind a client. */
export type View = {
  workspace: string;
  /** a text without keys */
  shown(text: string): string;
  /** whether the content of a path may be shown at all */
  shows(path: string): boolean;
};

export type ShownStep = {
  tool: string;
  effect: Effect;
  input: Readonly<Record<string, unknown>>;
};

export function kindOf({ tool, effect }: Pick<ShownStep, 'tool' | 'effect'>): ToolKind {
  const [plugin = '', name = ''] = tool.split('.');
  if (plugin === 'search' || name === 'find') return 'search';
  if (name === 'delete') return 'delete';
  if (name === 'move') return 'move';
  if (plugin === 'shell' || (plugin === 'git' && effect !== 'read')) return 'execute';
  if (plugin === 'web' || plugin === 'http') return 'fetch';
  if (effect === 'read') return 'read';
  if (effect === 'write') return 'edit';
  return 'other';
}

/** `file.read src/a.ts` */
export function titleOf({ tool, input }: ShownStep, shown: (text: string) => string): string {
  const { path, command, pattern, name, program } = input;
  const about = [path, command, pattern, name, program].find((each) => typeof each === 'string');
  const title = about === undefined ? tool : `${tool} ${about}`;
  return escapeLine(shown(title)).slice(0, maxTitle);
}

/** The input without keys; what is taken out of it may leave no JSON, and then it is a text. */
export function shownInput({ input }: Pick<ShownStep, 'input'>, shown: View['shown']): unknown {
  const text = shown(JSON.stringify(input));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return { shown: text };
  }
}

/** Files of the workspace that the input names; links of a plan to other steps are none. */
export function locationsOf({ input }: ShownStep, workspace: string): ToolCallLocation[] {
  const { path, start } = input;
  if (typeof path !== 'string' || path === '' || path.startsWith('/') || path.includes('..'))
    return [];
  const isLine = typeof start === 'number' && Number.isInteger(start) && start > 0;
  return [{ path: join(workspace, path), ...(isLine ? { line: start } : {}) }];
}

/** A changed file; one that is protected, too long or no text is named alone. */
export function diffOf(
  { path, before, after }: { path: string; before?: Uint8Array; after?: Uint8Array },
  { workspace, shown, shows }: View,
): ToolCallContent {
  const [oldText, newText] = [textOf(before), textOf(after)];
  if (!shows(path) || oldText === undefined || newText === undefined) {
    const text = `${after === undefined ? 'removed' : 'changed'} ${escapeLine(path)}`;
    return { type: 'content', content: { type: 'text', text } };
  }
  return {
    type: 'diff',
    path: join(workspace, path),
    oldText: before === undefined ? null : shown(oldText),
    newText: shown(newText),
  };
}

/** @returns empty for no file, undefined for what is not shown */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return '';
  if (bytes.byteLength > maxDiffBytes || bytes.includes(0)) return undefined;
  return Buffer.from(bytes).toString('utf8');
}
