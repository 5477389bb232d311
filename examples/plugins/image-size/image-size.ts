export type ImageSize = { format: string; width: number; height: number };

/** @param bytes the beginning of a file; undefined for what is no image */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = (text: string, at = 0): boolean =>
    bytes.length >= at + text.length &&
    [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
  try {
    if (starts('\x89PNG'))
      return { format: 'png', width: view.getUint32(16), height: view.getUint32(20) };
    if (starts('GIF8'))
      return { format: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (starts('BM'))
      return {
        format: 'bmp',
        width: view.getInt32(18, true),
        height: Math.abs(view.getInt32(22, true)),
      };
    if (starts('RIFF') && starts('WEBP', 8)) return webp(view, starts);
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpeg(view);
  } catch (thrown) {
    // It ends before its size.
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
  return svg(new TextDecoder().decode(bytes.subarray(0, 4096)));
}

function webp(
  view: DataView,
  starts: (text: string, at: number) => boolean,
): ImageSize | undefined {
  const format = 'webp';
  const u24 = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  if (starts('VP8X', 12)) return { format, width: u24(24) + 1, height: u24(27) + 1 };
  if (starts('VP8L', 12)) {
    const bits = view.getUint32(21, true);
    return { format, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (starts('VP8 ', 12)) {
    return {
      format,
      width: view.getUint16(26, true) & 0x3fff,
      height: view.getUint16(28, true) & 0x3fff,
    };
  }
  return undefined;
}

function jpeg(view: DataView): ImageSize | undefined {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // A start of frame, but for tables and arithmetic coding, which have the same numbers.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { format: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
}

function svg(text: string): ImageSize | undefined {
  const tag = /<svg\b[^>]*>/i.exec(text)?.[0];
  if (tag === undefined) return undefined;
  const number = (name: string): number =>
    Number(new RegExp(`\\s${name}=["']([\\d.]+)(?:px)?["']`).exec(tag)?.[1]);
  const [, , boxWidth, boxHeight] = (/viewBox=["']([^"']+)["']/.exec(tag)?.[1] ?? '')
    .split(/[\s,]+/)
    .map(Number);
  const width = number('width') || boxWidth || 0;
  const height = number('height') || boxHeight || 0;
  return { format: 'svg', width, height };
}
