/** Values of the plugin; `kv` of the host. */
export type OutputStore = {
  getText(key: string): string | undefined;
  setText(key: string, value: string): void;
  remove(key: string): void;
};

/** Texts that are kept; the oldest makes room for the next. */
const maxKept = 6;
/** Characters of one piece: a value holds 1 MiB, and a character may be three bytes. */
const pieceLength = 256 * 1024;
/** More is cut: it is what all outputs of one line with a pipe or two can come to. */
const maxLength = 2 * 1024 * 1024;

type Kept = { id: string; pieces: number };

/**
 * Keeps a text so that it can be read later, in a store of small values.
 *
 * @returns its id: a hash of the text, so that only who has seen the run can name it
 */
export function keepOutput(store: OutputStore, text: string): string {
  const kept = text.slice(0, maxLength);
  const id = hashOf(kept);
  const others = list(store).filter((one) => one.id !== id);
  for (const old of others.splice(maxKept - 1)) removePieces(store, old);
  const pieces = Math.ceil(kept.length / pieceLength);
  for (let at = 0; at < pieces; at += 1) {
    store.setText(pieceKey(id, at), kept.slice(at * pieceLength, (at + 1) * pieceLength));
  }
  store.setText(listKey, JSON.stringify([{ id, pieces }, ...others]));
  return id;
}

/** The text as it was kept; undefined when there is none of that id any more. */
export function readOutput(store: OutputStore, id: string): string | undefined {
  const kept = list(store).find((one) => one.id === id);
  if (kept === undefined) return undefined;
  const pieces = Array.from({ length: kept.pieces }, (_, at) => store.getText(pieceKey(id, at)));
  return pieces.includes(undefined) ? undefined : pieces.join('');
}

const listKey = 'outputs';

function pieceKey(id: string, at: number): string {
  return `output:${id}:${at}`;
}

function removePieces(store: OutputStore, { id, pieces }: Kept): void {
  for (let at = 0; at < pieces; at += 1) store.remove(pieceKey(id, at));
}

/** Newest first. */
function list(store: OutputStore): Kept[] {
  const kept: unknown = JSON.parse(store.getText(listKey) ?? '[]');
  return Array.isArray(kept) ? kept : [];
}

/** Two halves of 32 bits (FNV-1a from two starts); it names a text and proves nothing. */
function hashOf(text: string): string {
  let [one, two] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit, 0x85ebca6b);
  }
  return [one, two].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
