import { definePlugin, fs, HostError, paths, ToolError, v } from '@cuervo/sdk';
import { imageSize } from './image-size.ts';

/** JPEG may have its size behind a preview and a colour profile. */
const headBytes = 256 * 1024;

export default definePlugin({
  name: 'image-size',
  version: '0.1.0',
  description: 'Width, height and format of images: PNG, JPEG, GIF, WebP, BMP, SVG.',
  licence: 'Apache-2.0',
  wants: [{ capability: 'fs', why: 'reads the first bytes of the images' }],
  tools: [
    {
      name: 'of',
      description: 'Width, height and format of an image file.',
      effect: 'read',
      input: v.object({
        path: v.pipe(v.string(), v.minLength(1), v.description('an image of the workspace')),
      }),
      examples: [{ path: 'logo.png' }],
      run: ({ path }) => {
        const found = imageSize(fs.readBytes(paths.host(path), 0, headBytes));
        if (found === undefined)
          throw new ToolError('invalid-input', `${path} is no image that this tool knows`);
        return {
          content: { path, ...found },
          summary: `${found.width} × ${found.height} ${found.format}`,
        };
      },
    },
    {
      name: 'list',
      description:
        'All images below a folder with width, height, format and bytes, the largest first.',
      effect: 'read',
      input: v.object({ folder: v.optional(v.string(), '') }),
      examples: [{}, { folder: 'docs' }],
      run: ({ folder }) => {
        const images = fs
          .walk(paths.host(folder), { include: ['**/*.{png,jpg,jpeg,gif,webp,bmp,svg}'] })
          .filter(({ kind }) => kind === 'file')
          .flatMap(({ path, size }) => {
            const found = tryRead(path);
            return found === undefined ? [] : [{ path: paths.shown(path), bytes: size, ...found }];
          })
          .sort((one, other) => other.bytes - one.bytes);
        return { content: images, summary: `${images.length} images` };
      },
    },
  ],
});

/** One that cannot be read does not hide the others. */
function tryRead(path: string): ReturnType<typeof imageSize> {
  try {
    return imageSize(fs.readBytes(path, 0, headBytes));
  } catch (thrown) {
    if (thrown instanceof HostError && thrown.code !== 'denied') return undefined;
    throw thrown;
  }
}
