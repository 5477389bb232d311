import { ToolError } from '@cuervo/sdk';

export type Found = { at: string; value: unknown };

/** Deeper values are not looked for: a file may be made to exhaust the stack. */
const maxDepth = 200;

/** All values that a path leads to, in the order of the file. */
export function queryJson(root: unknown, query: string): Found[] {
  return stepsOf(query).reduce<Found[]>(
    (found, step) => found.flatMap((each) => follow(each, step)),
    [{ at: '', value: root }],
  );
}

/** `a.b[0]`, `["odd name"]`, `*`, `**` */
function stepsOf(query: string): string[] {
  const steps: string[] = [];
  const step = /\.?(\*\*|\*|[^.[\]]+)|\[(\d+|\*)\]|\["([^"]+)"\]/y;
  while (step.lastIndex < query.length) {
    const at = step.lastIndex;
    const match = step.exec(query);
    if (match === null) {
      throw new ToolError(
        'invalid-input',
        `query: "${query.slice(at, at + 40)}" is no step of a path`,
      );
    }
    steps.push(match[1] ?? match[2] ?? match[3] ?? '');
  }
  return steps;
}

function follow({ at, value }: Found, step: string): Found[] {
  if (step === '**') return below({ at, value }, 0);
  if (typeof value !== 'object' || value === null) return [];
  if (step === '*') return childrenOf({ at, value });
  if (!Object.hasOwn(value, step)) return [];
  return [{ at: named(at, step, value), value: (value as Record<string, unknown>)[step] }];
}

function below(found: Found, depth: number): Found[] {
  if (depth > maxDepth) return [found];
  return [found, ...childrenOf(found).flatMap((each) => below(each, depth + 1))];
}

function childrenOf({ at, value }: Found): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, child]) => ({ at: named(at, key, value), value: child }));
}

function named(at: string, key: string, holder: object): string {
  if (Array.isArray(holder)) return `${at}[${key}]`;
  return at === '' ? key : `${at}.${key}`;
}
