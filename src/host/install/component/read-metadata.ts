import type { Manifest } from '../../../contracts/capability.ts';
import { parseManifest } from './parse-manifest.ts';
import type { BinaryShape } from './read-component.ts';

/** Custom sections that `wasm-tools metadata add` writes, as texts, and the field that each fills. */
const fields = {
  version: 'version',
  description: 'description',
  homepage: 'homepage',
  licenses: 'licence',
} as const;

const maxBytes = 4_096;

/**
 * The facts in the usual metadata of a binary without a manifest. Values that a manifest could not
 * have are left out: a stranger's toolchain wrote them for another reader.
 *
 * @param bytes hold the sections of `shape`
 */
export function readMetadata(
  shape: Pick<BinaryShape, 'customSections'>,
  bytes: Uint8Array,
): Partial<Pick<Manifest, 'version' | 'description' | 'homepage' | 'licence'>> {
  const found: Record<string, string> = {};
  for (const { name, offset, length } of shape.customSections) {
    const field = Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : undefined;
    if (field === undefined || length > maxBytes || field in found) continue;
    const text = new TextDecoder().decode(bytes.subarray(offset, offset + length)).trim();
    if (isTaken({ [field]: text })) found[field] = text;
  }
  return found;
}

function isTaken(said: object): boolean {
  const whole = { name: 'a', version: '0.0.0', description: 'a', wants: [], ...said };
  try {
    parseManifest(new TextEncoder().encode(JSON.stringify(whole)));
    return true;
  } catch {
    return false;
  }
}
