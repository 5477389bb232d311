import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createPatch } from 'diff';
import type { Expectation } from './parse-cases.ts';
import { contentBytes } from './write-files.ts';

/** The outcome of a call, and the folder it worked on. */
export type CaseOutcome = {
  content?: string;
  summary?: string;
  error?: { code: string; message: string };
};

/** Differences from the expected outcome as lines to read; empty when there are none. */
export function compareOutcome(
  expected: Expectation | undefined,
  outcome: CaseOutcome,
  workspace: string,
): string[] {
  if (expected === undefined)
    return ['it does not say what to expect: add "expect", or run with --update'];
  const { error } = expected;
  if (error !== undefined) return compareError(error, outcome);
  if (outcome.error !== undefined) {
    const { code, message } = outcome.error;
    const lines = [`it failed with ${code}: ${message}`];
    if (code === 'permission-denied')
      lines.push('a case grants what its call needs, as in "grants": ["fs:work"]');
    return lines;
  }
  const content = readContent(outcome.content ?? '');
  const lines: string[] = [];
  if ('content' in expected && !isDeepStrictEqual(content, expected.content)) {
    lines.push(...differenceLines('content', expected.content, content));
  }
  if ('has' in expected && !holds(content, expected.has)) {
    lines.push(...differenceLines('content has not all of', expected.has, content));
  }
  if (expected.summary !== undefined && expected.summary !== outcome.summary) {
    lines.push(...differenceLines('summary', expected.summary, outcome.summary));
  }
  for (const [name, wanted] of Object.entries(expected.files ?? {})) {
    const path = join(workspace, name);
    const found = existsSync(path) ? readFileSync(path) : undefined;
    if (wanted === null) {
      if (found !== undefined) lines.push(`the file ${name} is there`);
    } else if (found === undefined) lines.push(`there is no file ${name}`);
    else if (!found.equals(contentBytes(wanted))) {
      lines.push(
        ...differenceLines(`file ${name}`, contentBytes(wanted).toString(), found.toString()),
      );
    }
  }
  return lines;
}

export function expectationOf(outcome: CaseOutcome): Expectation {
  if (outcome.error !== undefined) return { error: outcome.error };
  const { content = '', summary = '' } = outcome;
  return { content: readContent(content) as never, summary };
}

function compareError(
  { code, message = '' }: NonNullable<Expectation['error']>,
  { error, content }: CaseOutcome,
): string[] {
  if (error === undefined) return [`it should fail with ${code}, but it returned ${content}`];
  if (error.code === code && error.message.includes(message)) return [];
  const also = message === '' ? '' : `: ${message}`;
  return [`it should fail with ${code}${also}`, `it failed with ${error.code}: ${error.message}`];
}

/** JSON where it is some, else the text. */
function readContent(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

function holds(value: unknown, part: unknown): boolean {
  if (typeof part === 'string' && typeof value === 'string') return value.includes(part);
  if (typeof part !== 'object' || part === null) return value === part;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(part)) {
    return Array.isArray(value) && part.every((each) => value.some((item) => holds(item, each)));
  }
  return Object.entries(part).every(([key, each]) =>
    holds((value as Record<string, unknown>)[key], each),
  );
}

function differenceLines(what: string, wanted: unknown, found: unknown): string[] {
  const text = (value: unknown): string =>
    typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value));
  const patch = createPatch(what, `${text(wanted)}\n`, `${text(found)}\n`, 'expected', 'found');
  const lines = patch
    .split('\n')
    .slice(4)
    .filter((line) => /^[-+ ]/.test(line));
  return [`${what}: - expected, + found`, ...lines.map((line) => `  ${line}`)];
}
