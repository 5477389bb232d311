import type { WideFindings } from '../../ask/rank-files.ts';

/** The result of the search, if it has regions; undefined for any other answer. */
export function parseWide(content: string): WideFindings | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const {
    passages,
    files,
    words = [],
    notText = [],
    told = false,
  } = value as Record<string, unknown>;
  if (!isListOf(passages, isScored) || !isListOf(files, isScoredFile)) return undefined;
  if (!isListOf(words, isString) || !isListOf(notText, isString)) return undefined;
  if (typeof told !== 'boolean') return undefined;
  return value as WideFindings;
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isScored(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { path, score } = value as Record<string, unknown>;
  return typeof path === 'string' && typeof score === 'number';
}

function isScoredFile(value: unknown): boolean {
  if (!isScored(value)) return false;
  const { regions } = value as Record<string, unknown>;
  return isListOf(
    regions,
    (region) => typeof (region as Record<string, unknown> | null)?.text === 'string',
  );
}
