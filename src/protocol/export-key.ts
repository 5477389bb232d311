/**
 * The name under which glue gives what a component exports. An interface with a package keeps its
 * name. A plain one stands there as its bytes in hexadecimal digits: the transpiler makes other
 * names of plain ones, which may be equal, or mean something to JavaScript, and refuses some.
 */
export function exportKey(name: string): string {
  return name.includes(':') ? name : `x${Buffer.from(name).toString('hex')}`;
}
