import { readText } from '../../protocol/frame-bytes.ts';
import { ToolFailure } from './tool-failure.ts';

export type CopyBound = {
  /** An instance of a component is about to be made: what is added from now on belongs to it. */
  begin(): void;
  /** Starts the count again. */
  reset(): void;
  /** The imports of a core module; each call of one starts the count again. */
  watch(imports?: WebAssembly.Imports): WebAssembly.Imports;
  /** Called for every core instance: its functions call no host and are left as they are. */
  add(instance: WebAssembly.Instance): void;
};

type Fields = Record<string, unknown>;
type Given = Parameters<TextDecoder['decode']>;

/**
 * Glue copies texts and lists of numbers out of a guest's memory. Those of one list may all be the
 * same bytes: with a few megabytes a guest can name terabytes, which neither the maximum of its
 * memory nor the limit of the engine's heap bounds, because copies lie outside of both. So what is
 * copied for one crossing of the boundary is counted and refused before it is allocated.
 *
 * Changes `ArrayBuffer.prototype.slice` and `TextDecoder`, by which glue copies; so once in a process.
 *
 * @param maxBytes copied between two resets
 */
export function boundCopies(maxBytes: number): CopyBound {
  let copied = 0;
  const count = (bytes: number): void => {
    copied += bytes;
    if (copied > maxBytes) {
      throw new ToolFailure('limit', `it hands over more than ${maxBytes} bytes at once`);
    }
  };
  const { slice } = ArrayBuffer.prototype;
  ArrayBuffer.prototype.slice = function (
    this: ArrayBuffer,
    begin = 0,
    end = this.byteLength,
  ): ArrayBuffer {
    count(Math.max(0, end - begin));
    return slice.call(this, begin, end);
  };
  globalThis.TextDecoder = class extends TextDecoder {
    readonly #isPlain: boolean;

    constructor(...given: ConstructorParameters<typeof TextDecoder>) {
      super(...given);
      this.#isPlain = given.length === 0;
    }

    override decode(input?: Given[0], options?: Given[1]): string {
      count(input?.byteLength ?? 0);
      // A quarter of the work, and a byte order mark, which belongs to the text, is not dropped.
      return this.#isPlain && options === undefined && input instanceof Uint8Array
        ? readText(input, 0, input.byteLength)
        : super.decode(input, options);
    }
  };

  // Functions of the instance that is being made: no other one is given them.
  let own = new Set<unknown>();
  const reset = (): void => {
    copied = 0;
  };
  const watched =
    (value: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      reset();
      return value(...args);
    };
  const watchedFields = (fields: Fields): Fields => {
    let changed: Fields | undefined;
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (typeof value !== 'function' || own.has(value)) continue;
      // Copies have all properties of their own from the start, whatever they are called.
      changed ??= { ...fields };
      changed[name] = watched(value as (...args: unknown[]) => unknown);
    }
    return changed ?? fields;
  };
  return {
    begin: () => {
      own = new Set();
      reset();
    },
    reset,
    watch: (imports = {}) => {
      const result = { ...imports } as Record<string, Fields>;
      for (const module of Object.keys(result)) {
        result[module] = watchedFields(result[module] as Fields);
      }
      return result as WebAssembly.Imports;
    },
    add: ({ exports }) => {
      for (const name of Object.keys(exports)) {
        if (typeof exports[name] === 'function') own.add(exports[name]);
      }
    },
  };
}
