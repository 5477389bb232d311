import { Script } from 'node:vm';
import { payloadOf } from '../../protocol/frame.ts';
import type { FileMessage } from '../../protocol/messages.ts';
import type { ReadFrame } from './read-frames.ts';

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
