import { quoteText } from '../../../lib/text/printable.ts';
import { ByteReader, fault } from '../component/byte-reader.ts';
import {
  coreSections,
  maxCoreNameBytes,
  maxCoreSections,
  readCoreExport,
  readCoreImport,
} from '../component/core-module.ts';

const headerBytes = 8;
/** Ends a text in JavaScript, or has a meaning in one. */
const ends = /['"`\\]/;

/**
 * Glue writes the names by which core modules take and give into its own text as they are, each in
 * quotes. One that closes them would be a part of the program.
 *
 * @param bytes a core module as the transpiler gave it out
 * @throws {KernelError} `plugin-fault` that names the first such name, and for a malformed module
 */
export function checkCoreNames(bytes: Uint8Array): void {
  const reader = new ByteReader(bytes, headerBytes);
  for (const { id, body } of coreSections(reader, maxCoreSections)) {
    if (id !== 2 && id !== 7) continue;
    const count = body.count(id === 2 ? 'imports' : 'exports');
    for (let index = 0; index < count; index += 1) {
      if (id === 7) {
        check('exports', readCoreExport(body, maxCoreNameBytes).name);
        continue;
      }
      const { module, name } = readCoreImport(body, maxCoreNameBytes);
      check('imports from', module);
      check('imports', name);
    }
  }
}

function check(verb: string, name: string): void {
  // This key of an object sets what the object inherits from.
  if (!ends.test(name) && name !== '__proto__') return;
  throw fault(
    `a core module ${verb} ${quoteText(name)}, which would be code in the JavaScript around it`,
  );
}
