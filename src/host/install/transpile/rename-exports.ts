import { exportKey } from '../../../protocol/export-key.ts';
import { u32 } from '../component/bound-module.ts';
import { ByteReader } from '../component/byte-reader.ts';
import { readComponentExport } from '../component/component-externs.ts';
import { componentSections, maxSections } from '../component/component-sections.ts';

const exportSection = 11;

/**
 * A component whose functions and instances are exported as `exportKey` says.
 *
 * @throws {KernelError} `plugin-fault` when it is malformed
 */
export function renameExports(component: Uint8Array): Buffer {
  const parts: Uint8Array[] = [component.subarray(0, 8)];
  const reader = new ByteReader(component, 8);
  for (const { id, start, body } of componentSections(reader, { sections: maxSections })) {
    if (id !== exportSection) {
      parts.push(component.subarray(start, reader.offset));
      continue;
    }
    const count = body.count('exports');
    const entries: Uint8Array[] = [Uint8Array.from(u32(count))];
    for (let index = 0; index < count; index += 1) entries.push(renamed(component, body));
    body.expectEnd('the exports');
    const content = Buffer.concat(entries);
    parts.push(Uint8Array.of(id, ...u32(content.byteLength)), content);
  }
  return Buffer.concat(parts);
}

/** The next entry: a byte, its name, and what it is. */
function renamed(component: Uint8Array, body: ByteReader): Uint8Array {
  const start = body.offset;
  const { name, kind } = readComponentExport(body);
  const key = exportKey(name);
  if (key === name || (kind !== 'func' && kind !== 'instance')) {
    return component.subarray(start, body.offset);
  }
  const behind = new ByteReader(component, start + 1);
  behind.skipName('an export name');
  return Buffer.concat([
    Uint8Array.of(component[start] ?? 0, ...u32(key.length)),
    Buffer.from(key),
    component.subarray(behind.offset, body.offset),
  ]);
}
