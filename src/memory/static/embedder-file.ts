/**
 * Layout, little-endian: `STE1`, u32 rows, u32 dimensions, f32 scale of each row, int8 values
 * row by row; then two texts in UTF-8, each behind its u32 length in bytes: the vocabulary,
 * one piece a line, and the notice.
 */
export type EmbedderFile = {
  rows: number;
  dimensions: number;
  /** by row; what the weight of its piece is, too */
  scales: Float32Array;
  /** `rows` × `dimensions` */
  values: Int8Array;
  /** pieces by row, one a line */
  vocabulary: string;
  /** what it was made of, and under which licence it may be passed on */
  notice: string;
};

const magic = 'STE1';
const headBytes = 12;

/** Where the bytes of such a file come from. */
export type EmbedderBytes = {
  size: number;
  /** @throws {RangeError} where the file ends before them */
  read(from: number, length: number): Buffer;
};

/**
 * @param bytes kept and looked into, not copied
 * @throws {RangeError} when they are no such file, or end too soon
 */
export function decodeEmbedderFile(bytes: Uint8Array): EmbedderFile {
  const read = (from: number, length: number) =>
    Buffer.from(bytes.buffer, bytes.byteOffset + from, length);
  const { valuesAt, ...tables } = decodeTables({ size: bytes.length, read });
  requirePieces(tables, countLines(tables.vocabulary));
  const values = new Int8Array(
    bytes.buffer,
    bytes.byteOffset + valuesAt,
    tables.rows * tables.dimensions,
  );
  return { ...tables, values };
}

/**
 * All but the values, and where they begin.
 *
 * @throws {RangeError} when it is no such file, or ends too soon
 */
export function decodeTables(
  source: EmbedderBytes,
): Omit<EmbedderFile, 'values'> & { valuesAt: number } {
  if (source.size < headBytes) throw new RangeError(`it does not begin with ${magic}`);
  const head = source.read(0, headBytes);
  if (head.toString('latin1', 0, 4) !== magic)
    throw new RangeError(`it does not begin with ${magic}`);
  const rows = head.readUInt32LE(4);
  const dimensions = head.readUInt32LE(8);
  const valuesAt = headBytes + rows * 4;
  const textsAt = valuesAt + rows * dimensions;
  if (textsAt > source.size)
    throw new RangeError(`${rows} × ${dimensions} values do not fit into ${source.size} bytes`);
  // The byte order of the file is that of every processor that cuervo's packages are built for.
  const scales = new Float32Array(rows);
  new Uint8Array(scales.buffer).set(source.read(headBytes, rows * 4));
  const texts: string[] = [];
  for (let at = textsAt; texts.length < 2; ) {
    if (at + 4 > source.size) throw new RangeError('its vocabulary or its notice is missing');
    const length = source.read(at, 4).readUInt32LE(0);
    if (at + 4 + length > source.size) throw new RangeError('its last text is cut off');
    texts.push(source.read(at + 4, length).toString('utf8'));
    at += 4 + length;
  }
  const [vocabulary, notice] = texts as [string, string];
  return { rows, dimensions, scales, vocabulary, notice, valuesAt };
}

/** @throws {RangeError} when they are not as many as its rows */
export function requirePieces({ rows }: Pick<EmbedderFile, 'rows'>, pieces: number): void {
  if (pieces !== rows) throw new RangeError(`it has ${rows} rows and ${pieces} pieces`);
}

export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
