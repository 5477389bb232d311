import type { LineState } from './parse-line.ts';

/** Keeps a text under a name; `kv` of the host. */
export type TextStore = {
  getText(key: string): string | undefined;
  setText(key: string, value: string): void;
};

/** What the lines of a session left behind; the workspace itself and no variables at first. */
export function readState(store: TextStore, session: string): LineState {
  const kept: unknown = JSON.parse(store.getText(keyOf(session)) ?? '{}');
  const { cwd, variables } = kept as { cwd?: unknown; variables?: unknown };
  return {
    cwd: typeof cwd === 'string' ? cwd : '',
    variables: new Map(
      Object.entries(typeof variables === 'object' && variables !== null ? variables : {}).map(
        ([name, value]) => [name, String(value)],
      ),
    ),
  };
}

export function writeState(store: TextStore, session: string, { cwd, variables }: LineState): void {
  store.setText(keyOf(session), JSON.stringify({ cwd, variables: Object.fromEntries(variables) }));
}

function keyOf(session: string): string {
  return `session:${session}`;
}
