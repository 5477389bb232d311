import { ToolFailure } from './tool-failure.ts';

export type CopyBound = {
  /** Starts the count again. */
  reset(): void;
  /** The imports of a core module, of which each starts the count again when it is called. */
  watch(imports?: WebAssembly.Imports): WebAssembly.Imports;
  /** To be told of every core instance: its functions call no host and are left as they are. */
  add(instance: WebAssembly.Instance): void;
};

/**
 * Glue copies texts and lists of numbers out of a guest's memory. Those of one list may all be the
 * same bytes: with a few megabytes a guest can name terabytes, which neither the maximum of its
 * memory nor the limit of the engine's heap bounds, because copies lie outside of both. So what is
 * copied for one crossing of the boundary is counted and refused before it is allocated.
 *
 * Changes `ArrayBuffer.prototype.slice` and `TextDecoder.prototype.decode`, by which glue copies.
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
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = function (this: TextDecoder, input, options): string {
    count(input?.byteLength ?? 0);
    return decode.call(this, input, options);
  };

  const own = new WeakSet<object>();
  const reset = (): void => {
    copied = 0;
  };
  const watched = (value: unknown): unknown => {
    if (typeof value !== 'function' || own.has(value)) return value;
    return (...args: unknown[]): unknown => {
      reset();
      return (value as (...args: unknown[]) => unknown)(...args);
    };
  };
  return {
    reset,
    watch: (imports = {}) =>
      Object.fromEntries(
        Object.entries(imports).map(([module, fields]) => [
          module,
          Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, watched(value)])),
        ]),
      ) as WebAssembly.Imports,
    add: ({ exports }) => {
      for (const value of Object.values(exports)) {
        if (typeof value === 'function') own.add(value);
      }
    },
  };
}
