import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../contracts/host-service.ts';
import { decoderOf } from '../lib/net/node-http.ts';

/**
 * The body as plain bytes, read no further than `maxBytes`, whether they are counted as they come
 * or decoded.
 *
 * @throws {ServiceError} `limit` for a longer one, `io` for an encoding that is not known
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const announced = Number(response.headers['content-length']);
  if (announced > maxBytes && !hasNoBody(response)) throw tooLong(maxBytes);
  const chunks: Buffer[] = [];
  await pipeline(
    counted(response, maxBytes),
    ...decodersOf(response),
    async (decoded: AsyncIterable<Buffer>) => {
      for await (const chunk of counted(decoded, maxBytes)) chunks.push(chunk);
    },
  );
  return Buffer.concat(chunks);
}

async function* counted(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLong(maxBytes);
    yield chunk;
  }
}

function decodersOf(response: IncomingMessage): NodeJS.ReadWriteStream[] {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const isEmpty = response.headers['content-length'] === '0' || hasNoBody(response);
  if (encoding === '' || encoding === 'identity' || isEmpty) return [];
  const decoder = decoderOf(encoding);
  if (decoder !== undefined) return [decoder()];
  throw new ServiceError('io', 'the answer came in an encoding that was not asked for');
}

function hasNoBody({ statusCode, req }: IncomingMessage & { req?: { method: string } }): boolean {
  return req?.method === 'HEAD' || statusCode === 204 || statusCode === 304;
}

function tooLong(maxBytes: number): ServiceError {
  return new ServiceError('limit', `the answer has more than ${maxBytes} bytes`);
}
