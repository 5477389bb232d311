import { GuestTextEncoder } from '../text-encoder.ts';

type Kept = { text: string } | { bytes: string };
const files = new Map<string, Kept>();

/** @returns the path, by which `readKept` finds the file */
export function keep(path: string, file: Kept | null): string {
  if (file !== null) files.set(path, file);
  return path;
}

/** What `fs.readFileSync` gives of a file that the build kept; undefined for any other. */
export function readKept(path: unknown, how?: unknown): unknown {
  const file = files.get(String(path).replace(/^file:\/\//, ''));
  if (file === undefined) return undefined;
  const encoding =
    typeof how === 'string' ? how : (how as { encoding?: unknown } | undefined)?.encoding;
  if (typeof encoding === 'string' && 'text' in file) return file.text;
  const bytes =
    'text' in file
      ? new GuestTextEncoder().encode(file.text)
      : Uint8Array.from(file.bytes, (each) => each.charCodeAt(0));
  const { Buffer } = globalThis as { Buffer?: { from(bytes: Uint8Array): Uint8Array } };
  const value = Buffer?.from(bytes) ?? bytes;
  return typeof encoding === 'string' ? value.toString() : value;
}
