import { readFileSync } from 'node:fs';

/**
 * A process and what it started, itself first.
 *
 * @param most processes whose own children are looked for
 */
export function processTree(pid: number, most: number): number[] {
  const found = [pid];
  for (let index = 0; index < found.length && index < most; index += 1) {
    for (const child of childrenOf(found[index] as number)) found.push(child);
  }
  return found;
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
