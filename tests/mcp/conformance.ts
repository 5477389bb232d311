/**
 * Runs the conformance suite of the Model Context Protocol against `cuervo mcp serve --http`, in both
 * eras, by a proxy that adds the token: `node tests/mcp/conformance.ts`. A failure that is not
 * expected, and one that is expected and passes, ends it with 1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** 0.1.16 ends with 2025-11-25; the later one has both, and no tag. */
const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const revisions = ['2025-11-25', '2026-07-28'];
const root = resolve(import.meta.dirname, '../..');

const dir = mkdtempSync(join(tmpdir(), 'cuervo-conformance-'));
const home = join(dir, 'home');
const child = spawn(
  process.execPath,
  [join(root, 'dist/cuervo.cjs'), 'mcp', 'serve', '--http', '0', '--tools', 'file.*', '-w', dir],
  { env: { PATH: process.env.PATH ?? '', CUERVO_HOME: home }, stdio: ['ignore', 'ignore', 'pipe'] },
);
let code = 1;
try {
  const target = await new Promise<URL>((found, fail) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [url] = /http:\S+mcp/.exec(said) ?? [];
      if (url !== undefined) found(new URL(url));
    });
    child.once('exit', () => fail(new Error(said)));
  });
  const token = readFileSync(join(home, 'mcp-token'), 'utf8').trim();
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const { hostname: host, port } = target;
    const sent = request(
      { host, port, path: asked.url, method: asked.method, headers, setHost: false },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    asked.pipe(sent);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  const codes: number[] = [];
  for (const revision of revisions) {
    const expected = join(import.meta.dirname, `expected-${revision}.yaml`);
    const run = spawn(
      'npx',
      [
        ...['--yes', suite, 'server', '--url', url, '--spec-version', revision],
        ...['--suite', 'all', '--expected-failures', expected, '--output-dir', join(dir, revision)],
      ],
      { stdio: 'inherit', cwd: dir },
    );
    const [ended] = (await once(run, 'exit')) as [number];
    codes.push(ended);
  }
  proxy.close();
  proxy.closeAllConnections();
  code = Math.max(...codes);
} finally {
  child.kill('SIGTERM');
  rmSync(dir, { recursive: true, force: true });
}
process.exitCode = code;
