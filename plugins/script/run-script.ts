import { HostError, log, ToolError, type ToolErrorCode } from '@cuervo/sdk';
import { createToolFace } from './tool-face.ts';

type Script = { code: string; input?: unknown };

const AsyncFunction = (async () => {}).constructor as new (
  ...texts: string[]
) => (...values: unknown[]) => Promise<unknown>;

/** Lines that the engine puts before the code. */
const headLines = 2;
const maxSummary = 120;
const textsAndComments =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`|\/\/.*|\/\*[\s\S]*?\*\//g;

const codes: Partial<Record<string, ToolErrorCode>> = {
  denied: 'denied',
  'not-found': 'not-found',
  invalid: 'invalid-input',
  limit: 'limit',
  timeout: 'timeout',
  conflict: 'conflict',
};

/** Evaluates a script: what it returns is the content. */
export async function runScript({ code, input = null }: Script) {
  // The engine has no modules, and traps on the way to one.
  if (/\bimport\s*[(.]/.test(code.replace(textsAndComments, '')))
    throw new ToolError('failed', 'a script has no modules to import');
  const calls = { made: 0 };
  const value = await evaluate(code, [createToolFace(calls), input, createConsole()]);
  const content = jsonOf(value ?? null);
  const made = `${calls.made} ${calls.made === 1 ? 'call' : 'calls'}`;
  return { content, summary: `${made}; returned ${content.slice(0, maxSummary)}` };
}

async function evaluate(code: string, values: readonly unknown[]): Promise<unknown> {
  try {
    return await new AsyncFunction('tools', 'input', 'console', code)(...values);
  } catch (thrown) {
    if (!(thrown instanceof Error))
      throw new ToolError('failed', `the script threw ${textOf(thrown)}`);
    const code = thrown instanceof HostError ? codes[thrown.code] : undefined;
    const kind = thrown instanceof HostError || thrown.name === 'Error' ? '' : `${thrown.name}: `;
    throw new ToolError(code ?? 'failed', `${kind}${thrown.message}${placeOf(thrown)}`);
  }
}

/** ` (line 3, column 5)` of the script. */
function placeOf({ stack }: Error): string {
  for (const [, line, column] of String(stack).matchAll(/<input>:(\d+):(\d+)/g)) {
    // Code that the script evaluates itself has no such lines before it.
    if (Number(line) > headLines) return ` (line ${Number(line) - headLines}, column ${column})`;
  }
  return '';
}

function textOf(thrown: unknown): string {
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return 'what cannot be shown';
  }
}

function jsonOf(value: unknown): string {
  try {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : 'it cannot be written';
    throw new ToolError('failed', `the script returned what is not JSON: ${reason}`);
  }
  throw new ToolError('failed', `the script returned a ${typeof value}, which is not JSON`);
}

function createConsole() {
  const at =
    (level: 'info' | 'warn' | 'error') =>
    (...values: unknown[]): void =>
      log.write(
        level,
        values.map((each) => (typeof each === 'string' ? each : textOf(each))).join(' '),
      );
  return { log: at('info'), info: at('info'), warn: at('warn'), error: at('error') };
}
