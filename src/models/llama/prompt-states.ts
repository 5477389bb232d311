import { createHmac, randomBytes } from 'node:crypto';
import {
  createReadStream,
  lstatSync,
  renameSync,
  rmSync,
  type Stats,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import type { Store } from '../../contracts/store.ts';
import { makeFolder, namesIn } from '../../lib/files/folders.ts';
import { llamaEngine } from '../../lib/parts/parts.ts';
import type {
  CallRequest,
  ChooseRequest,
  GenerateRequest,
  StateFile,
  StateReply,
} from './parse-protocol.ts';

/**
 * Beginnings that a model reads faster are not kept: reading and checking a file takes about 10 ms.
 */
const usualLeastMs = 50;
/** All states together; the longest unused go first. */
const usualQuotaBytes = 1e9;
/** Age of files that a process killed while writing left behind. */
const leftOverMs = 3_600_000;
/** A text that was not seen for this time counts as new. */
const seenMs = 7 * 24 * leftOverMs;

const stateName = /^[0-9a-f]{64}-[0-9a-f]{64}\.state$/;
const seenName = /^[0-9a-f]{64}\.seen$/;

/**
 * States of a model after the beginnings of its prompts, kept for the next process: reading a file
 * is quicker than reading a prompt. A file's name depends on its model, engine, text and content,
 * by a key that is kept elsewhere. So files of another model, engine or text, cut or changed files,
 * and files of other people are never used.
 */
export type PromptStates = {
  /** the folder of one model and engine, the only one that its process may write to */
  readonly folder: string;
  /** a beginning that a model reads faster than this is not kept */
  readonly leastMs: number;
  /**
   * The file of a text, read whole and checked. Any other file of that name is removed.
   *
   * @returns undefined when there is none
   */
  find(text: string): Promise<string | undefined>;
  /** Whether this was asked of a text before. It notes the text. */
  wasSeen(text: string): boolean;
  /** makes an empty file for a new state; undefined where that fails, as on a full disk */
  part(): string | undefined;
  /**
   * Takes a file that was written. One with another size than it should have is removed: the disk was
   * full.
   */
  keep(text: string, part: string, bytes: number): Promise<void>;
  /** Removes a file that the model could not use. */
  drop(path: string): void;
};

export type PromptStatesOptions = {
  /** of the states of all models */
  root: string;
  key: Uint8Array;
  /** SHA-256 of the model */
  model: string;
  /** name and version of the engine; another engine cannot read its files */
  engine: string;
  quotaBytes?: number;
  leastMs?: number;
};

/** @returns undefined where no folder can be made: prompts are then read as ever */
export function openPromptStates(options: PromptStatesOptions): PromptStates | undefined {
  const { root, key, model, engine, quotaBytes = usualQuotaBytes } = options;
  const { leastMs = usualLeastMs } = options;
  const keyed = (...parts: readonly string[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
  const folder = join(root, keyed('model', model, engine).slice(0, 32));
  try {
    makeFolder(folder);
    if (!isOurs(lstatSync(folder), 'folder') || !isOurs(lstatSync(root), 'folder'))
      return undefined;
  } catch {
    return undefined;
  }
  const nameOf = (text: string): string => keyed('text', model, engine, text);

  /** of the content, for this name alone */
  async function contentOf(path: string, name: string): Promise<string> {
    const hmac = createHmac('sha256', key).update(`content ${name}\0`);
    for await (const piece of createReadStream(path)) hmac.update(piece as Buffer);
    return hmac.digest('hex');
  }

  async function isRight(path: string, name: string): Promise<boolean> {
    if (!isOurs(lstatSync(path), 'file')) return false;
    return path.endsWith(`${name}-${await contentOf(path, name)}.state`);
  }

  return {
    folder,
    leastMs,
    find: async (text) => {
      const name = nameOf(text);
      for (const file of namesIn(folder).filter((one) => one.startsWith(`${name}-`))) {
        const path = join(folder, file);
        if (await isRight(path, name).catch(() => false)) {
          touch(path);
          return path;
        }
        remove(path);
      }
      return undefined;
    },
    wasSeen: (text) => {
      const path = join(folder, `${nameOf(text)}.seen`);
      const seen = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
      try {
        writeFileSync(path, '', { mode: 0o600 });
      } catch {
        // Ignored: on a full disk no state could be kept either.
      }
      return seen;
    },
    part: () => {
      const path = join(folder, `${randomBytes(16).toString('hex')}.part`);
      try {
        // The written file keeps its mode.
        writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
        return path;
      } catch {
        return undefined;
      }
    },
    keep: async (text, part, bytes) => {
      try {
        if (lstatSync(part).size !== bytes) throw new Error('the disk is full');
        const name = nameOf(text);
        const path = join(folder, `${name}-${await contentOf(part, name)}.state`);
        const before = namesIn(folder).filter((one) => one.startsWith(`${name}-`));
        renameSync(part, path);
        for (const file of before) if (join(folder, file) !== path) remove(join(folder, file));
        prune(root, quotaBytes);
      } catch {
        remove(part);
      }
    },
    drop: remove,
  };
}

/** Removes the states that were unused for longest, and all foreign files. */
function prune(root: string, quotaBytes: number): void {
  const kept: { path: string; size: number; usedMs: number }[] = [];
  for (const model of namesIn(root)) {
    for (const name of namesIn(join(root, model))) {
      const path = join(root, model, name);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined) continue;
      const ageMs = Date.now() - found.mtimeMs;
      if (found.isFile() && stateName.test(name)) {
        kept.push({ path, size: found.size, usedMs: found.mtimeMs });
      } else if (ageMs > (seenName.test(name) ? seenMs : leftOverMs)) remove(path);
    }
  }
  kept.sort((one, other) => other.usedMs - one.usedMs);
  let sum = 0;
  for (const { path, size } of kept) {
    sum += size;
    if (sum > quotaBytes) remove(path);
  }
}

function isOurs(found: Stats, kind: 'file' | 'folder'): boolean {
  const isKind = kind === 'file' ? found.isFile() && found.nlink === 1 : found.isDirectory();
  if (!isKind || process.getuid === undefined) return isKind;
  return found.uid === process.getuid() && (found.mode & 0o077) === 0;
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // Ignored: on a read-only disk nothing can be removed.
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // It is never trusted, even if it stays.
  }
}

/** Which file is read or written with a prompt. */
export type PrefixFiles = {
  /** @param request one without a prompt has none */
  forPrompt(request: { type: string } & Partial<Prompt>): Promise<PrefixFile>;
  /** Resolves when all that was written is kept. */
  settled(): Promise<void>;
};

type Prompt = Pick<GenerateRequest, 'turns'> &
  Partial<Pick<ChooseRequest | CallRequest, 'offered'>>;

export type PrefixFile = Disposable & {
  /** for the model process */
  named: { file?: StateFile };
  settle(reply: StateReply): void;
};

const none: PrefixFile = { named: {}, settle: () => {}, [Symbol.dispose]: () => {} };

/**
 * A system text alone is kept at once, because all questions share it. With tools it is kept when
 * it comes a second time, since each question may have other tools.
 *
 * @param find where the process finds a path
 */
export function createPrefixFiles(
  states: PromptStates | undefined,
  find: (path: string) => string,
): PrefixFiles {
  /** The text that the process has read last; it needs no file for that. */
  let held: string | undefined;
  let keeping: Promise<void> = Promise.resolve();

  const forPrompt: PrefixFiles['forPrompt'] = async ({ turns, offered = [] }) => {
    if (states === undefined || turns === undefined) return none;
    const system = turns.filter(({ role }) => role === 'system');
    const text = JSON.stringify({ system, offered });
    if (text === held) return none;
    held = text;
    const found = await states.find(text);
    if (found !== undefined) {
      return {
        ...none,
        named: { file: { load: find(found) } },
        settle: ({ state }) => state === 'useless' && states.drop(found),
      };
    }
    if (offered.length > 0 && !states.wasSeen(text)) return none;
    const part = states.part();
    if (part === undefined) return none;
    let isTaken = false;
    return {
      named: { file: { save: find(part), leastMs: states.leastMs } },
      settle: (reply) => {
        if (reply.state !== 'saved') return;
        isTaken = true;
        keeping = keeping.then(() => states.keep(text, part, reply.bytes));
      },
      [Symbol.dispose]: () => {
        if (!isTaken) states.drop(part);
      },
    };
  };

  return { forPrompt, settled: () => keeping };
}

const keySetting = 'prompt-states-key';
const keyBytes = 32;

/**
 * The folder of prompt states for a model. Undefined when nothing is kept between questions, or
 * nothing can be written.
 */
export async function promptStatesOf(
  model: string,
  core: { config: Config; store(): Promise<Pick<Store, 'getSetting' | 'setSetting'>> },
): Promise<PromptStates | undefined> {
  if (!core.config.models.cache) return undefined;
  const key = keyOf(await core.store());
  if (key === undefined) return undefined;
  const root = promptStatesRoot(core.config);
  return openPromptStates({ root, key, model, engine: llamaEngine() });
}

function keyOf(settings: Pick<Store, 'getSetting' | 'setSetting'>): Buffer | undefined {
  const kept = settings.getSetting(keySetting)?.key;
  if (typeof kept === 'string') return Buffer.from(kept, 'base64');
  const made = randomBytes(keyBytes);
  try {
    settings.setSetting(keySetting, { key: made.toString('base64') });
    return made;
  } catch {
    // A home that cannot be written keeps nothing.
    return undefined;
  }
}

function promptStatesRoot({ home }: Pick<Config, 'home'>): string {
  return join(home, 'prompt-states');
}

/** Removes all prompt states, since they cannot be searched. */
export function endPromptStates(config: Pick<Config, 'home'>): void {
  rmSync(promptStatesRoot(config), { recursive: true, force: true });
}
