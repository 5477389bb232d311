import { existsSync, readFileSync } from 'node:fs';

export function readIfPresent(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
