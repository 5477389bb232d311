import { deflateRawSync } from 'node:zlib';

/** Custom section with the source map of a plugin, deflated; only its author is helped by it. */
const sourceMapSectionName = 'cuervo:source-map';

export function sourceMapSection(map: object): [name: string, content: Uint8Array] {
  return [sourceMapSectionName, deflateRawSync(JSON.stringify(map), { level: 9 })];
}
