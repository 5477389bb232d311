import { open } from 'node:fs/promises';
import { KernelError } from '../../contracts/error.ts';

/** magic, version, number of tensors, number of metadata entries */
const headerBytes = 24;
const supportedVersions = [2, 3];
/** Each tensor and each entry takes at least its name's length, a type and a value. */
const minEntryBytes = 12;

function refuse(path: string, reason: string, cause?: unknown): KernelError {
  return new KernelError(
    'invalid-argument',
    `${path} is not a GGUF model that can be used: ${reason}`,
    {
      cause,
      hint: 'give the path of a complete .gguf file, or run without a model: --model none',
    },
  );
}

function readable(path: string, thrown: unknown): KernelError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new KernelError('not-found', `there is no model file ${path}`, {
      cause: thrown,
      hint: 'check the path, or run without a model: --model none',
    });
  }
  const reason =
    code === 'EACCES' || code === 'EPERM' ? 'it may not be read' : code || 'it cannot be read';
  return refuse(path, reason, thrown);
}

function checkHeader(path: string, header: Buffer, size: number): void {
  if (header.length < 4 || header.toString('latin1', 0, 4) !== 'GGUF') {
    throw refuse(path, 'it does not begin with "GGUF"');
  }
  if (header.length < headerBytes) {
    throw refuse(path, `it has ${size} bytes and ends within its header`);
  }
  const version = header.readUInt32LE(4);
  if (!supportedVersions.includes(version)) {
    throw refuse(
      path,
      `its format version is ${version}, supported are ${supportedVersions.join(', ')}`,
    );
  }
  const tensors = header.readBigUInt64LE(8);
  const entries = header.readBigUInt64LE(16);
  if (tensors === 0n) throw refuse(path, 'it holds no tensors');
  const needed = BigInt(headerBytes) + (tensors + entries) * BigInt(minEntryBytes);
  if (needed > BigInt(size)) {
    throw refuse(path, `its header names more than its ${size} bytes can hold; it may be cut off`);
  }
}

/**
 * Looks at the first bytes of a model file before native code does.
 *
 * @returns size in bytes
 * @throws {KernelError} `not-found` when there is none, `invalid-argument` when it is no GGUF, of
 *   a version not supported, or too short for what its header names
 */
export async function checkGguf(path: string): Promise<number> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'r');
  } catch (thrown) {
    throw readable(path, thrown);
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw refuse(path, 'it is not a file');
    const header = Buffer.alloc(headerBytes);
    const { bytesRead } = await file.read(header, 0, headerBytes, 0);
    checkHeader(path, header.subarray(0, bytesRead), stat.size);
    return stat.size;
  } catch (thrown) {
    throw thrown instanceof KernelError ? thrown : readable(path, thrown);
  } finally {
    await file.close();
  }
}
