import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LocalServer, serve } from './open-plugin-servers.ts';

export type HubOptions = {
  /** in place of the true one, as the hub says it */
  sha256?: string;
  licence?: string;
  /** the connection is cut after so many bytes of each answer */
  cutAfter?: number;
  /** it is not cut but says nothing more */
  hangs?: boolean;
  /** so many answers are cut, and later ones are refused with 503 */
  cuts?: number;
  /** answered to every request for a file */
  status?: number;
  headers?: Record<string, string>;
  /** a file is asked for with this token alone */
  token?: string;
  /** says neither size nor SHA-256 */
  isSilent?: boolean;
};

export type Hub = LocalServer & {
  /** the `Range` of each request for a file */
  ranges: string[];
  options: HubOptions;
};

/** A hub with one model, as huggingface.co answers: a list with SHA-256, and files by redirect. */
export async function openHub(
  files: Readonly<Record<string, Buffer>>,
  options: HubOptions = {},
): Promise<Hub> {
  const ranges: string[] = [];
  const live = { ...options };
  const server = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://hub');
    if (pathname.startsWith('/api/models/maker/tiny/revision/')) return describeModel(response);
    const file = /^\/maker\/tiny\/resolve\/[^/]+\/(.+)$/.exec(pathname)?.[1];
    const stored = /^\/store\/(.+)$/.exec(pathname)?.[1];
    const bytes = files[file ?? stored ?? ''];
    if (bytes === undefined) return void response.writeHead(404).end();
    const isAllowed =
      live.token === undefined || request.headers.authorization === `Bearer ${live.token}`;
    if (file !== undefined && !isAllowed) return void response.writeHead(401).end();
    if (live.status !== undefined) return void response.writeHead(live.status, live.headers).end();
    if (file !== undefined) {
      response.writeHead(302, { location: `/store/${file}`, ...linked(bytes) });
      return void response.end();
    }
    sendFile(request, response, bytes);
  });

  const linked = (bytes: Buffer): Record<string, string> =>
    live.isSilent === true
      ? {}
      : { 'x-linked-etag': `"${digestOf(bytes)}"`, 'x-linked-size': `${bytes.length}` };

  const digestOf = (bytes: Buffer): string =>
    live.sha256 ?? createHash('sha256').update(bytes).digest('hex');

  function describeModel(response: ServerResponse): void {
    const siblings = Object.entries(files).map(([rfilename, bytes]) => ({
      rfilename,
      ...(live.isSilent === true
        ? {}
        : { size: bytes.length, lfs: { sha256: digestOf(bytes), size: bytes.length } }),
    }));
    const license = live.licence ?? 'apache-2.0';
    response.end(
      JSON.stringify({ id: 'maker/tiny', sha: 'a'.repeat(40), cardData: { license }, siblings }),
    );
  }

  function sendFile(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
    const { range = '' } = request.headers;
    ranges.push(range);
    const from = Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0);
    const rest = bytes.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      etag: '"one"',
      'content-length': rest.length,
      ...(from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
    });
    const { cutAfter, cuts, hangs } = live;
    if (cuts !== undefined && ranges.length >= cuts) live.status = 503;
    if (cutAfter === undefined || rest.length <= cutAfter) return void response.end(rest);
    // What was written arrives; the rest never does.
    response.write(rest.subarray(0, cutAfter), () => {
      if (hangs !== true) response.socket?.end();
    });
  }

  return Object.assign(server, { ranges, options: live });
}
