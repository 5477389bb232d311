import { definedNames } from '../../ask/defined-names.ts';
import { secretsOf } from '../../guard/scan-text.ts';

export type Place = { path: string; line: number };

/** Names whose users are looked for. */
const maxNames = 12;

/** Functions and types that a changed line defines or, by the patch's lines before it, lies in. */
export function changedNames(patch: string): string[] {
  const names = new Set<string>();
  let around: string | undefined;
  for (const line of patch.split('\n')) {
    const [isHunk, behind = ''] = /^@@ [^@]*@@ ?(.*)$/.exec(line) ?? [];
    if (/^(?:diff|---|\+\+\+) /.test(line)) around = undefined;
    else around = definedNames(isHunk === undefined ? line.slice(1) : behind, 1)[0] ?? around;
    if (/^[-+](?![-+]{2} )/.test(line) && around !== undefined) names.add(around);
  }
  return [...names].slice(0, maxNames);
}

export function addedSecrets(patch: string): (Place & { kind: string })[] {
  const found: (Place & { kind: string })[] = [];
  let path = '';
  let line = 0;
  for (const text of patch.split('\n')) {
    const [, to] = /^\+\+\+ (?:b\/)?(.+)$/.exec(text) ?? [];
    const [, start] = /^@@ -\S+ \+(\d+)/.exec(text) ?? [];
    if (to !== undefined) path = to;
    else if (start !== undefined) line = Number(start);
    else if (text.startsWith('+')) {
      for (const { kind } of secretsOf(text.slice(1))) found.push({ kind, path, line });
      line += 1;
    } else if (text.startsWith(' ')) line += 1;
  }
  return found;
}
