import { readSync } from 'node:fs';
import { Script } from 'node:vm';
import { type Frame, maxFrameBytes, payloadOf, readNumber } from '../../protocol/frame.ts';
import type { FileMessage } from '../../protocol/messages.ts';

/** `own`: the bytes are the caller's; else they are only good until the next frame is read. */
export type ReadFrame = Frame & { own: boolean };

const headerBytes = 5;
/** Most frames fit, and then one read brings all of it. */
const bufferBytes = 64 * 1024;

/**
 * Blocking reads of frames: while the process waits here its guest cannot run, and
 * while the guest runs nothing is read, so host calls are plain function calls.
 *
 * @returns a function that gives the next frame, or undefined when the kernel closed the
 *   pipe
 */
export function createFrameReader(descriptor: number): () => ReadFrame | undefined {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let start = 0;
  let end = 0;

  /** Reads until `count` bytes are there; false at the end of the pipe. */
  const fill = (count: number): boolean => {
    if (start + count > buffer.length) {
      buffer.copyWithin(0, start, end);
      end -= start;
      start = 0;
    }
    while (end - start < count) {
      const got = readSync(descriptor, buffer, end, buffer.length - end, null);
      if (got === 0) return false;
      end += got;
    }
    return true;
  };

  /** A payload that the buffer cannot hold. */
  const readLarge = (length: number): Buffer | undefined => {
    const payload = Buffer.allocUnsafeSlow(length);
    let filled = buffer.copy(payload, 0, start, end);
    start = 0;
    end = 0;
    while (filled < length) {
      const got = readSync(descriptor, payload, filled, length - filled, null);
      if (got === 0) return undefined;
      filled += got;
    }
    return payload;
  };

  return () => {
    if (start === end) {
      start = 0;
      end = 0;
    }
    if (!fill(headerBytes)) return undefined;
    const length = readNumber(buffer, start) - 1;
    const kind = buffer[start + 4] as number;
    if (length < 0 || length > maxFrameBytes) {
      throw new RangeError(`a frame announces ${length} bytes`);
    }
    start += headerBytes;
    if (length > buffer.length) {
      const payload = readLarge(length);
      return payload && { kind, bytes: payload, start: 0, end: length, own: true };
    }
    if (!fill(length)) return undefined;
    const from = start;
    start += length;
    return { kind, bytes: buffer, start: from, end: start, own: false };
  };
}

/** Files of prepared components, by digest, as the kernel sent them. */
export type ReceivedFiles = {
  /** Adds bytes to the current file. Takes ownership of a frame's own bytes. */
  part(frame: ReadFrame): void;
  /** Ends the current file. A core module is compiled at once. */
  finish(file: FileMessage): void;
  /** @throws {RangeError} when it was not sent */
  module(digest: string): WebAssembly.Module;
  /** @throws {RangeError} when it was not sent */
  text(digest: string): string;
  /**
   * The value of a script that was sent as text.
   *
   * @param code digest of the engine's compiled code; code of another engine is ignored
   */
  run(digest: string, code: string | undefined): unknown;
};

/** The process reads no file of a plugin itself, so it may not read any. */
export function createReceivedFiles(): ReceivedFiles {
  const modules = new Map<string, WebAssembly.Module>();
  const texts = new Map<string, string>();
  const codes = new Map<string, Buffer>();
  let parts: Buffer[] = [];

  const text = (digest: string): string => {
    const sent = texts.get(digest);
    if (sent === undefined) throw new RangeError('a text of the component was not sent');
    return sent;
  };

  return {
    part: (frame) => {
      const { own, bytes } = frame;
      parts.push(own ? bytes : Buffer.from(Uint8Array.from(payloadOf(frame)).buffer));
    },
    finish: ({ digest, kind }) => {
      const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      if (kind === 'bytes') {
        codes.set(digest, bytes);
        parts = [];
        return;
      }
      if (kind === 'text') texts.set(digest, bytes.toString('utf8'));
      else modules.set(digest, new WebAssembly.Module(bytes as Buffer<ArrayBuffer>));
      // The engine has its own copy; a process that mostly waits would keep these for ever.
      for (const part of parts) (part.buffer as ArrayBuffer).transfer(0);
      parts = [];
    },
    module: (digest) => {
      const module = modules.get(digest);
      if (module === undefined) throw new RangeError('a core module of the component was not sent');
      return module;
    },
    text,
    run: (digest, code) => {
      const cachedData = code === undefined ? undefined : codes.get(code);
      const script = new Script(text(digest), { filename: 'component.js', cachedData });
      // A second run gets it from the engine.
      codes.delete(code ?? '');
      (cachedData?.buffer as ArrayBuffer | undefined)?.transfer(0);
      return script.runInThisContext();
    },
  };
}
