/** Bytes that a guest wrote, up to a limit. */
export type OutputBuffer = {
  /** False when it was too much: then as much as fits is kept. */
  add(bytes: Uint8Array): boolean;
  /** all of it, once */
  take(): Uint8Array;
};

export function createOutputBuffer(maxBytes: number): OutputBuffer {
  let bytes = new Uint8Array();
  let length = 0;

  function grow(needed: number): void {
    if (needed <= bytes.length) return;
    const larger = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * bytes.length, 1024)));
    larger.set(bytes.subarray(0, length));
    bytes = larger;
  }

  return {
    add: (more) => {
      const fitting = more.subarray(0, maxBytes - length);
      grow(length + fitting.length);
      bytes.set(fitting, length);
      length += fitting.length;
      return fitting.length === more.length;
    },
    take: () => {
      const taken = bytes.subarray(0, length);
      bytes = new Uint8Array();
      length = 0;
      return taken;
    },
  };
}
