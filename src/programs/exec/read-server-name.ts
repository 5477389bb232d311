/**
 * Bytes that a client sends before its greeting is complete; today's greetings have below 2 KiB.
 */
export const maxHelloBytes = 32 * 1024;

const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;
const hostName = 0;
/** RFC 8446, 5.1: of the content of one record. */
const maxRecordBytes = 16 * 1024;
/** Clients send one or two; so many are there to keep a reader busy. */
const maxRecords = 64;

export type ServerName =
  /** more has to come */
  | { state: 'partial' }
  /** no greeting of TLS, or one that is crooked */
  | { state: 'invalid' }
  /** complete; `name` in small letters, absent when the client names no server */
  | { state: 'whole'; name?: string };

/**
 * Which server the greeting of a TLS client names (RFC 8446, 4.1.2; RFC 6066, 3). Nothing is
 * decrypted: the name stands there in plain. The true name of an encrypted greeting (ECH) is not
 * seen, only the one in front of it.
 *
 * @param bytes all that the client has sent so far
 */
export function readServerName(bytes: Buffer): ServerName {
  const handshake = joinRecords(bytes);
  if (handshake === undefined) return { state: 'invalid' };
  if (handshake.byteLength < 4) return { state: 'partial' };
  if (handshake[0] !== clientHello) return { state: 'invalid' };
  const length = handshake.readUIntBE(1, 3);
  if (length > maxHelloBytes) return { state: 'invalid' };
  if (handshake.byteLength < 4 + length) return { state: 'partial' };
  try {
    const names = namesOf(handshake.subarray(4, 4 + length));
    if (names.length > 1) return { state: 'invalid' };
    return names[0] === undefined ? { state: 'whole' } : { state: 'whole', name: names[0] };
  } catch {
    return { state: 'invalid' };
  }
}

/** The content of the records so far; undefined where they are not handshake. */
function joinRecords(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    if (bytes[at] !== handshakeRecord) return undefined;
    if (at + 1 < bytes.byteLength && bytes[at + 1] !== 3) return undefined;
    if (at + 5 > bytes.byteLength) break;
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || length > maxRecordBytes || parts.length === maxRecords) return undefined;
    parts.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
    // Other records may follow a complete greeting, as early data do.
    const joined = Buffer.concat(parts);
    if (joined.byteLength >= 4 && joined.byteLength >= 4 + joined.readUIntBE(1, 3)) return joined;
  }
  return Buffer.concat(parts);
}

/** Every host name in every extension that lists them. */
function namesOf(hello: Buffer): string[] {
  const reader = createReader(hello);
  reader.take(2 + 32);
  reader.take(reader.number(1));
  reader.take(reader.number(2));
  reader.take(reader.number(1));
  if (reader.left() === 0) return [];
  const extensions = createReader(reader.take(reader.number(2)));
  const names: string[] = [];
  while (extensions.left() > 0) {
    const type = extensions.number(2);
    const content = extensions.take(extensions.number(2));
    if (type !== serverNameExtension) continue;
    const reader = createReader(content);
    const list = createReader(reader.take(reader.number(2)));
    while (list.left() > 0) {
      const kind = list.number(1);
      const name = list.take(list.number(2));
      if (kind === hostName) names.push(name.toString('latin1').toLowerCase());
    }
  }
  return names;
}

/** Throws where a length leads beyond the end. */
function createReader(bytes: Buffer) {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.byteLength) throw new RangeError('beyond the end');
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    take,
    number: (length: number): number => take(length).readUIntBE(0, length),
    left: (): number => bytes.byteLength - at,
  };
}
