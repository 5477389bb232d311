import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { KernelError } from '../contracts/error.ts';
import type { AttachedText } from '../contracts/events.ts';
import { type AttachedImage, imageTypeNamed } from '../contracts/model.ts';
import type { Kernel, RunClient } from '../kernel.ts';
import { realPath } from '../lib/files/paths.ts';
import { escapeLine } from '../lib/text/escape.ts';
import { parseContent } from '../lib/text/parse-json.ts';

/** Files and texts that one message can attach. */
const maxAttached = 8;
/** Characters of one of them; more belongs into a file. */
const maxTextLength = 1_000_000;

export type ReadPrompt = { question: string; attached: AttachedText[]; images: AttachedImage[] };

export type PromptPorts = {
  kernel: Kernel;
  /** for whom the files are read */
  client: RunClient;
  /** the text of a file as the client has it, maybe unsaved; undefined where it gives none */
  buffer(path: string, signal: AbortSignal): Promise<string | undefined>;
  /** whether the content of a path may be shown at all */
  shows(path: string): boolean;
  signal: AbortSignal;
};

/**
 * Reads the blocks of a message. A file that it names is read by the tool that reads files, so what
 * is protected or outside is refused, whoever sends the text of it.
 *
 * @throws {KernelError} for the first block that cannot be used; nothing is asked then
 */
export async function readPrompt(
  blocks: readonly ContentBlock[],
  ports: PromptPorts,
): Promise<ReadPrompt> {
  const words: string[] = [];
  const attached: AttachedText[] = [];
  const images: AttachedImage[] = [];
  const { workspace } = ports.kernel.config;
  const attach = (text: AttachedText | undefined): void => {
    if (text === undefined) return;
    if (attached.length >= maxAttached) {
      throw new KernelError('invalid-argument', `a message attaches ${maxAttached} files at most`, {
        hint: 'Name a folder in words, and its files are searched.',
      });
    }
    attached.push(text);
  };
  for (const block of blocks) {
    if (block.type === 'text') words.push(block.text);
    else if (block.type === 'resource_link') {
      const place = placeOf(block.uri, workspace);
      words.push(place?.path ?? escapeLine(block.uri));
      if (place !== undefined && imageTypeNamed(place.path) !== undefined)
        images.push({ path: place.path });
      else if (place !== undefined) attach(await readPlace(place, ports));
    } else if (block.type === 'resource' && 'text' in block.resource) {
      const { uri, text } = block.resource;
      const place = placeOf(uri, workspace);
      const path = place?.path ?? escapeLine(uri).slice(0, 200);
      words.push(path);
      if (place !== undefined) await requireReadable(place, ports);
      attach({ path, line: place?.start ?? 1, text: checked(path, text) });
    } else if (block.type === 'image') {
      const { data, mimeType, uri } = block;
      const place = uri == null ? undefined : placeOf(uri, workspace);
      // What an editor shows of a protected file is not sent either.
      if (place !== undefined) requireShown(place, ports);
      const source = place?.path ?? `image ${images.length + 1}`;
      images.push({ source, type: mimeType, data });
    } else throw notTaken(block.type === 'resource' ? 'a file that is no text' : block.type);
  }
  return { question: joined(words), attached, images };
}

type Place = {
  /** relative to the workspace */
  path: string;
  absolute: string;
  /** 1-based, inclusive; absent for all of it */
  start?: number;
  end?: number;
};

/**
 * The file of the workspace that an address names; undefined for one that is no file.
 *
 * @throws {KernelError} `permission-denied` outside of the workspace
 */
function placeOf(uri: string, workspace: string): Place | undefined {
  if (!uri.startsWith('file:')) return undefined;
  let absolute: string;
  let hash: string;
  try {
    const url = new URL(uri);
    hash = url.hash;
    url.hash = '';
    url.search = '';
    absolute = realPath(fileURLToPath(url));
  } catch (thrown) {
    throw new KernelError('invalid-argument', `${escapeLine(uri).slice(0, 200)} names no file`, {
      cause: thrown,
    });
  }
  const path = relative(workspace, absolute);
  if (path === '..' || path.startsWith('../') || path.startsWith('/')) {
    throw new KernelError(
      'permission-denied',
      `${escapeLine(absolute)} is outside of the folder ${escapeLine(workspace)}`,
      { hint: 'Open a session in the folder of that file, or leave the mention out.' },
    );
  }
  const [, from, to = from] = /^#L(\d{1,9})(?:[:-]L?(\d{1,9}))?$/.exec(hash) ?? [];
  const lines = from === undefined ? {} : { start: Number(from), end: Number(to) };
  return { path: path === '' ? '.' : path, absolute, ...lines };
}

async function readPlace(place: Place, ports: PromptPorts): Promise<AttachedText | undefined> {
  const { path, absolute, start = 1, end } = place;
  const saved = await savedText(place, ports);
  if (saved === 'folder') return undefined;
  const unsaved = await ports.buffer(absolute, ports.signal);
  if (unsaved === undefined && saved === undefined) {
    throw new KernelError('not-found', `${escapeLine(path)} is not there`, {
      hint: 'Save the file, or leave the mention out.',
    });
  }
  const lines = unsaved?.split('\n').slice(start - 1, end);
  return { path, line: start, text: checked(path, lines?.join('\n') ?? saved ?? '') };
}

/** A text that the client sent of a file passes only where the file itself could be read. */
async function requireReadable(place: Place, ports: PromptPorts): Promise<void> {
  await savedText({ ...place, start: 1, end: 1 }, ports);
}

/** @returns undefined where there is no such file yet, `folder` for one */
async function savedText(place: Place, ports: PromptPorts): Promise<string | 'folder' | undefined> {
  requireShown(place, ports);
  const { path, start, end } = place;
  const { kernel, client, signal } = ports;
  const lines = start === undefined ? {} : { start, end: end ?? start };
  const events = kernel.run('file.read', { path, ...lines }, { signal, client, isWhole: true });
  let text: string | undefined;
  for await (const event of events) {
    if (event.type === 'result') {
      const content = parseContent(event.content) as { lines?: unknown } | undefined;
      text = typeof content?.lines === 'string' ? content.lines : '';
    }
    if (event.type !== 'error') continue;
    if (event.code === 'not-found') return undefined;
    if (/directory|folder/.test(event.message)) return 'folder';
    throw new KernelError(event.code, event.message, { hint: event.hint });
  }
  return text;
}

function requireShown({ path }: Place, { shows }: Pick<PromptPorts, 'shows'>): void {
  if (shows(path)) return;
  throw new KernelError('permission-denied', `${escapeLine(path)} is protected`, {
    hint: 'Its name says that it holds secrets; see docs/names.md.',
  });
}

function checked(path: string, text: string): string {
  if (text.length <= maxTextLength) return text;
  const detail = `the text of ${escapeLine(path)} has ${text.length} characters, limit ${maxTextLength}`;
  throw new KernelError('invalid-argument', detail, {
    hint: 'Mention the lines that matter, or leave the mention out: files are searched.',
  });
}

/** One text; a block that ends in the middle of words goes on in the next one. */
function joined(words: readonly string[]): string {
  let text = '';
  for (const word of words) {
    const isApart = text === '' || /\s$/.test(text) || /^[\s,.;:?!)]/.test(word);
    text += isApart ? word : ` ${word}`;
  }
  return text.trim();
}

function notTaken(kind: string): KernelError {
  return new KernelError(
    'invalid-argument',
    `cuervo acp takes text, files and images, and not ${kind}`,
    {
      hint: 'Leave it out; the message is sent without it.',
    },
  );
}
