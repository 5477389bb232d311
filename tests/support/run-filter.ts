/** What the kernel does with a filter: the classic packet filter, as far as it is used. */
export function runFilter(
  filter: Buffer,
  architecture: number,
  call: number,
  ...args: readonly number[]
): number {
  const seen = new Map([
    [0, call],
    [4, architecture],
    ...[0, 1, 2, 3].map((index): [number, number] => [16 + 8 * index, args[index] ?? 0]),
  ]);
  let accumulator = 0;
  for (let at = 0; ; at += 1) {
    const operation = filter.readUInt16LE(at * 8);
    const value = filter.readUInt32LE(at * 8 + 4);
    const jump = (holds: boolean) => filter.readUInt8(at * 8 + (holds ? 2 : 3));
    if (operation === 0x20) accumulator = seen.get(value) ?? Number.NaN;
    else if (operation === 0x15) at += jump(accumulator === value);
    else if (operation === 0x35) at += jump(accumulator >= value);
    else if (operation === 0x45) at += jump((accumulator & value) !== 0);
    else if (operation === 0x06) return value;
    else throw new Error(`operation ${operation}`);
  }
}
