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

/**
 * Layout, little-endian: `STE1`, u32 rows, u32 dimensions, f32 scale of each row, int8 values
 * row by row; then two texts in UTF-8, each behind its u32 length in bytes: the vocabulary,
 * one piece a line, and the notice.
 */
export function encodeEmbedderFile(file: EmbedderFile): Uint8Array {
  const { rows, dimensions, scales, values } = file;
  const texts = [file.vocabulary, file.notice].map((text) => Buffer.from(text));
  const head = Buffer.alloc(headBytes);
  head.write(magic, 'latin1');
  head.writeUInt32LE(rows, 4);
  head.writeUInt32LE(dimensions, 8);
  const scaleBytes = Buffer.alloc(rows * 4);
  for (let row = 0; row < rows; row += 1) scaleBytes.writeFloatLE(scales[row] ?? 0, row * 4);
  const parts = [head, scaleBytes, Buffer.from(values.buffer, values.byteOffset, values.length)];
  for (const text of texts) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    parts.push(length, text);
  }
  return Buffer.concat(parts);
}

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

/** Marks of the vocabulary that stand for no word. */
const mark = /^\[[A-Z0-9a-z]+\]$/;

/**
 * Rows turned onto axes and rounded to 8 bits each; those of marks weigh nothing.
 *
 * @param rows of `dimensions` each, one for each piece of the vocabulary
 * @param axes of `dimensions` each
 * @param weightOf what a row counts beside its length
 */
export function packRows(
  rows: Float32Array,
  { vocabulary, dimensions }: { vocabulary: readonly string[]; dimensions: number },
  axes: readonly Float64Array[],
  weightOf: (row: number) => number = () => 1,
): { rows: number; dimensions: number; scales: Float32Array; values: Int8Array } {
  const scales = new Float32Array(vocabulary.length);
  const values = new Int8Array(vocabulary.length * axes.length);
  for (const [row, piece] of vocabulary.entries()) {
    if (mark.test(piece)) continue;
    const own = rows.subarray(row * dimensions, (row + 1) * dimensions);
    const projected = axes.map((axis) => dot(axis, own));
    const most = Math.max(...projected.map(Math.abs)) || 1;
    scales[row] = (weightOf(row) * most) / 127;
    for (const [at, value] of projected.entries())
      values[row * axes.length + at] = Math.round((value / most) * 127);
  }
  return { rows: vocabulary.length, dimensions: axes.length, scales, values };
}

function dot(axis: Float64Array, row: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < row.length; at += 1) sum += (axis[at] as number) * (row[at] as number);
  return sum;
}
