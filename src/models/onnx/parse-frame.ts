import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const dimensions = v.pipe(count, v.minValue(1), v.maxValue(65_536));
const frame = v.variant('type', [
  v.object({ type: v.literal('ready'), id: count, dimensions: count }),
  // Bytes: vectors of `dimensions` f32, one for each text.
  v.object({ type: v.literal('vectors'), id: count, dimensions }),
  // Bytes: for each text its scales as f32, then its states as i8; `tokens` counts them. Of a question
  // alone, `pieces` are its tokens as text.
  v.object({
    type: v.literal('states'),
    id: count,
    dimensions,
    tokens: v.array(count),
    pieces: v.array(v.string()),
  }),
  v.object({
    type: v.literal('scores'),
    id: count,
    scores: v.array(v.pipe(v.number(), v.finite())),
  }),
  v.object({ type: v.literal('failed'), id: count, message: v.string() }),
]);

export type FromChild = v.InferOutput<typeof frame>;

/** @throws {KernelError} `unavailable`: what native code broke is not to be trusted further */
export function parseFrame(json: string): FromChild {
  try {
    return v.parse(frame, JSON.parse(json), { abortEarly: true });
  } catch (thrown) {
    throw new KernelError('unavailable', 'the ONNX process sent an unknown message', {
      cause: thrown,
    });
  }
}
