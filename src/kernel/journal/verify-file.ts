import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { AuditReport } from '../../contracts/output/parse-journal.ts';
import { createVerifier } from '../../journal/audit-keys.ts';
import { verifyExport } from '../../journal/export-audit.ts';
import { withTypedPath } from '../../lib/files/read-file.ts';

/**
 * Proves an export; needs no home.
 *
 * @param keyPath a public key as PEM
 * @throws {KernelError} where one of the two cannot be read
 */
export async function verifyFile(path: string, keyPath: string): Promise<AuditReport> {
  const isSigned = createVerifier(withTypedPath(keyPath, () => readFileSync(keyPath, 'utf8')));
  withTypedPath(path, () => statSync(path));
  const lines = createInterface({ input: createReadStream(path) });
  return await verifyExport(lines, isSigned);
}
