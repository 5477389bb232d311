const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** An image as models are sent it. */
export type ModelImage = { type: ImageType /** base64 */; data: string };

/** An image that a person attached: a file of the workspace, or what an editor sent. */
export type AttachedImage = { path: string } | { source: string; type: string; data: string };

/** Those that one message can attach, and bytes of each: what the providers take. */
export const maxImages = 8;
export const maxImageBytes = 3_750_000;
/** About what providers count for an image of the largest size that they do not make smaller. */
export const imageTokens = 1_600;

/** How each form begins, in hex. */
const beginnings: readonly (readonly [ImageType, RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  // GIF87a and GIF89a
  ['image/gif', /^47494638(?:37|39)61/],
  // RIFF, a length, WEBP
  ['image/webp', /^52494646.{8}57454250/],
];

/** What an image is by its first bytes; undefined for what is none of these. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  return beginnings.find(([, form]) => form.test(start))?.[0];
}

const names: Readonly<Record<string, ImageType>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** What a file is by the end of its name; undefined for what is no image that models take. */
export function imageTypeNamed(path: string): ImageType | undefined {
  return names[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''];
}
