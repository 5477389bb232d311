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

/**
 * @param bytes kept and looked into, not copied
 * @throws {RangeError} when they are no such file, or end too soon
 */
export function decodeEmbedderFile(bytes: Uint8Array): EmbedderFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headBytes || Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== magic)
    throw new RangeError(`it does not begin with ${magic}`);
  const rows = view.getUint32(4, true);
  const dimensions = view.getUint32(8, true);
  const valuesAt = headBytes + rows * 4;
  const textsAt = valuesAt + rows * dimensions;
  if (textsAt > bytes.length)
    throw new RangeError(`${rows} × ${dimensions} values do not fit into ${bytes.length} bytes`);
  // The byte order of the file is that of every processor that cuervo's packages are built for.
  const scalesAt = bytes.byteOffset + headBytes;
  const scales = new Float32Array(bytes.buffer.slice(scalesAt, scalesAt + rows * 4) as ArrayBuffer);
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + valuesAt, rows * dimensions);
  const texts: string[] = [];
  for (let at = textsAt; texts.length < 2; ) {
    if (at + 4 > bytes.length) throw new RangeError('its vocabulary or its notice is missing');
    const length = view.getUint32(at, true);
    if (at + 4 + length > bytes.length) throw new RangeError('its last text is cut off');
    texts.push(Buffer.from(bytes.subarray(at + 4, at + 4 + length)).toString('utf8'));
    at += 4 + length;
  }
  const [vocabulary, notice] = texts as [string, string];
  const pieces = countLines(vocabulary);
  if (pieces !== rows) throw new RangeError(`it has ${rows} rows and ${pieces} pieces`);
  return { rows, dimensions, scales, values, vocabulary, notice };
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
