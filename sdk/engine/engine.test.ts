import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the engine is the one whose digest stands beside it', () => {
  const file = join(import.meta.dirname, 'quickjs.wasm');
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
  expect(`${digest}  quickjs.wasm\n`).toBe(readFileSync(`${file}.sha256`, 'utf8'));
});
