/** SHA-256, hex. */
export function sha256(bytes: Uint8Array | string): string {
  // Taken when first needed: loading it is a third of the start of a plugin process.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(bytes).digest('hex');
}
