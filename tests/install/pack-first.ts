import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packTarballs, type Tarballs } from './support/tarballs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    tarballs: Tarballs;
  }
}

/** Packs once for all files of this project. @returns what removes it again */
export default function packFirst(project: TestProject): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-tarballs-')));
  project.provide('tarballs', packTarballs(folder));
  return () => rmSync(folder, { recursive: true, force: true });
}
