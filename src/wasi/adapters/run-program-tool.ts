import type { ToolErrorCase } from '../../contracts/tool.ts';
import { isObject } from '../../contracts/tool.ts';
import { parseExactJson } from '../../lib/text/parse-json.ts';
import type { WasiImports } from '../create-wasi-imports.ts';
import { logOutput, type OutputLog } from './log-output.ts';
import { lastWords, runToEnd } from './run-command.ts';
import { ToolFailure } from './tool-failure.ts';

/** Exit codes as the command line has them; any other is a failure, too. */
const caseOf: Readonly<Record<number, ToolErrorCase>> = {
  2: 'invalid-input',
  3: 'denied',
  4: 'not-found',
  5: 'limit',
  7: 'unavailable',
  8: 'conflict',
};

const maxSummary = 120;

/**
 * Calls a program as one of the tools that its manifest names: the tool is its first argument, the
 * input JSON on standard input. With exit code 0 it answered JSON on standard output, either
 * `{"content": …, "summary": "…"}` or the content alone. Any other code is an error, and what it
 * wrote to standard error is the reason; what it wrote there otherwise goes to the log.
 */
export function runProgramTool(
  run: () => unknown,
  { tool, input }: { tool: string; input: string },
  options: { wasi: WasiImports; program: string; log: OutputLog },
): { content: string; summary: string } {
  const { wasi, log, program } = options;
  const stdin = Buffer.from(input);
  const { outcome, exitCode } = runToEnd(run, { wasi, log, args: [program, tool], stdin });
  if (outcome.overflow !== undefined) throw new ToolFailure('limit', outcome.overflow);
  if (exitCode !== 0) {
    const words = lastWords(outcome) || `the program ended with exit code ${exitCode}`;
    throw new ToolFailure(caseOf[exitCode] ?? 'failed', words);
  }
  logOutput(log, 'info', outcome.stderr);
  return readAnswer(Buffer.from(outcome.stdout).toString('utf8').trim());
}

function readAnswer(text: string): { content: string; summary: string } {
  if (text === '') {
    throw new ToolFailure(
      'failed',
      'it ended with exit code 0 and wrote no answer: it has to write JSON to standard output',
    );
  }
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    const begin = text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
    throw new ToolFailure(
      'failed',
      `it answered with something that is not JSON: ${JSON.stringify(begin)}`,
    );
  }
  const { content, summary, ...others }: Record<string, unknown> = isObject(value) ? value : {};
  if (content !== undefined && typeof summary === 'string' && Object.keys(others).length === 0) {
    return { content: contentText(content), summary };
  }
  const shown = typeof value === 'string' ? value : text;
  return { content: shown, summary: summaryOf(shown) };
}

/** Digits of large numbers stay: the text is written again from what was read exactly. */
function contentText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function summaryOf(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= maxSummary ? line : `${line.slice(0, maxSummary - 1).toWellFormed()}…`;
}
