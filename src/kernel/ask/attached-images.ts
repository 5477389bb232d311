import { createHash } from 'node:crypto';
import type { Config } from '../../contracts/config.ts';
import { type ErrorCode, KernelError } from '../../contracts/error.ts';
import type { JournalBody } from '../../contracts/journal.ts';
import {
  type AttachedImage,
  type ChatModel,
  imageTypeNamed,
  imageTypeOf,
  type ModelImage,
  maxImageBytes,
  maxImages,
} from '../../contracts/model.ts';
import { escapeLine } from '../../lib/text/escape.ts';
import { createReadGated } from '../../paths/read-gated.ts';
import { HostFailure } from '../../paths/system-failure.ts';

/** Images as a model is sent them, and what the journal keeps of each. */
export type ReadImages = {
  images: readonly ModelImage[];
  noted: Pick<JournalBody<'reading'>, 'images'>;
};

const codes: Readonly<Record<string, ErrorCode>> = {
  'not-found': 'not-found',
  denied: 'permission-denied',
};
const leaveOut = 'Leave it out; the message was not sent.';

/**
 * Reads the images of a message where the gate to content decides.
 *
 * @throws {KernelError} for a model that does not see, and of the first image that cannot be sent
 */
export function readAttachedImages(
  attached: readonly AttachedImage[],
  ports: {
    config: Config;
    model: ChatModel | undefined;
    failure: KernelError | undefined;
  },
): ReadImages {
  if (attached.length === 0) return { images: [], noted: {} };
  const { config, model, failure } = ports;
  if (failure !== undefined) throw failure;
  if (model?.sees !== true) throw seesNone(model);
  if (attached.length > maxImages) {
    const text = `the message has ${attached.length} images, limit ${maxImages}`;
    throw new KernelError('invalid-argument', text, { hint: 'Send the others with the next one.' });
  }
  const read = createReadGated(config);
  const made = attached.map((each) => {
    const { source, bytes, named } = 'path' in each ? ofFile(each.path) : ofEditor(each);
    const type = imageTypeOf(bytes);
    if (type === undefined || type !== named) {
      const is = type === undefined ? 'no PNG, JPEG, GIF or WebP' : type;
      const text = `${source} is called ${escapeLine(named)}, and by its first bytes it is ${is}`;
      throw new KernelError('invalid-argument', text, { hint: leaveOut });
    }
    const digest = createHash('sha256').update(bytes).digest('hex');
    return {
      image: { type, data: bytes.toString('base64') },
      note: { source, type, bytes: bytes.length, digest },
    };
  });
  return {
    images: made.map(({ image }) => image),
    noted: { images: made.map(({ note }) => note) },
  };

  function ofFile(path: string) {
    try {
      const { bytes } = read(path, maxImageBytes);
      return { source: path, bytes, named: imageTypeNamed(path) ?? 'an image' };
    } catch (thrown) {
      if (!(thrown instanceof HostFailure)) throw thrown;
      const { tag, val } = thrown.payload;
      throw new KernelError(codes[tag] ?? 'invalid-argument', val, {
        cause: thrown,
        hint: tag === 'limit' ? `Make it smaller, or leave it out: ${path}` : leaveOut,
      });
    }
  }
}

function ofEditor({ source, type, data }: Extract<AttachedImage, { data: string }>) {
  const shown = escapeLine(source).slice(0, 200);
  const size = Math.floor((data.length * 3) / 4);
  if (size > maxImageBytes + 2) {
    const text = `${shown} has ${size} bytes, limit ${maxImageBytes}`;
    throw new KernelError('invalid-argument', text, { hint: 'Make it smaller, or leave it out.' });
  }
  const named = type.toLowerCase() === 'image/jpg' ? 'image/jpeg' : type.toLowerCase();
  return { source: shown, bytes: Buffer.from(data, 'base64'), named: named.slice(0, 80) };
}

function seesNone(model: ChatModel | undefined): KernelError {
  if (model === undefined) {
    return new KernelError('invalid-argument', 'no model is in use, and an image needs one', {
      hint: 'Choose one that sees with: cuervo model use NAME',
    });
  }
  const text = `${model.name} is not known to read images, and nothing was sent`;
  return new KernelError('invalid-argument', text, {
    hint: `Choose another one with: cuervo model use NAME. If it does, say so: vision = true in models.toml (docs/chat.md)`,
  });
}
