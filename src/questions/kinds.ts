import type { Reading } from '../contracts/intent.ts';
import type { Kind } from './kind.ts';
import { about } from './kinds/about.ts';
import { changes } from './kinds/changes.ts';
import { collection } from './kinds/collection.ts';
import { comparison } from './kinds/comparison.ts';
import { complexity } from './kinds/complexity.ts';
import { definition } from './kinds/definition.ts';
import { file } from './kinds/file.ts';
import { guide } from './kinds/guide.ts';
import { history } from './kinds/history.ts';
import { how } from './kinds/how.ts';
import { imports } from './kinds/imports.ts';
import { listing } from './kinds/listing.ts';
import { manifest } from './kinds/manifest.ts';
import { members } from './kinds/members.ts';
import { outline } from './kinds/outline.ts';
import { references } from './kinds/references.ts';
import { size } from './kinds/size.ts';
import { tests } from './kinds/tests.ts';
import { todo } from './kinds/todo.ts';
import { value } from './kinds/value.ts';
import { web } from './kinds/web.ts';
import { where } from './kinds/where.ts';

/**
 * All kinds of questions. The first one that reads a question is the most particular; the last one
 * reads any.
 */
export const kinds = {
  web,
  comparison,
  tests,
  history,
  changes,
  todo,
  complexity,
  manifest,
  about,
  references,
  outline,
  imports,
  size,
  listing,
  file,
  members,
  definition,
  value,
  collection,
  guide,
  where,
  how,
};

export type KindName = keyof typeof kinds;

/** By the name that stands in its readings, which the compiler compares. */
const byName: { readonly [Name in KindName]: Kind<Reading & { kind: Name }> } = kinds;

export const allKinds: readonly Kind<Reading>[] = Object.values(byName) as never;

/** @param reading one that a kind made */
export function kindOf({ kind }: { kind: string }): Kind<Reading> {
  return byName[kind as KindName] as never;
}
