import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKernel } from '../../src/kernel.ts';
import { openPlace, type Place } from '../support/place.ts';
import { root } from '../support/run-cuervo.ts';
import { runOne } from '../support/run-many.ts';
import { toolchainEnv } from '../support/toolchain-env.ts';
import { hasRust } from './support/build-crate.ts';

const modules = join(root, 'node_modules');
const hasComponentizeJs = existsSync(join(modules, '@bytecodealliance/componentize-js'));
const rust = hasRust() ? undefined : 'needs cargo and: rustup target add wasm32-wasip2';
const typescript = hasComponentizeJs ? undefined : 'needs: npm install';
const atOnce = 10;

/** The same tool by both toolchains, asked the same. */
describe.each([
  ['rust', 'link-check', rust],
  ['typescript', 'link-check-ts', typescript],
])('examples/plugins/link-check/%s', (folder, name, missing) => {
  const title = missing === undefined ? '' : ` (${missing})`;
  let place: Place;
  let server: Server;
  let origin: string;
  let asked = 0;
  /** Answers what is asked for at `/held`. */
  let release = (): void => {};

  beforeAll(async () => {
    place = openPlace();
    const together: (() => void)[] = [];
    server = createServer(({ url }, response) => {
      asked += 1;
      const answer = (): void => {
        response.statusCode = url === '/together/0' ? 404 : 200;
        response.end();
      };
      if (url === '/held') release = answer;
      else if (url?.startsWith('/together') !== true) answer();
      // Nobody is answered before all wait.
      else if (together.push(answer) === atOnce) for (const each of together) each();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (missing !== undefined) return;
    const made = join(place.work, 'link-check');
    const isSource = (path: string): boolean => !/[\\/](?:dist|target|node_modules)$/.test(path);
    cpSync(join(root, 'examples/plugins/link-check'), made, { recursive: true, filter: isSource });
    symlinkSync(modules, join(made, 'typescript/node_modules'));
    const { CARGO_TARGET_DIR: target = '' } = toolchainEnv;
    mkdirSync(target, { recursive: true });
    symlinkSync(target, join(made, 'rust/target'));
    const options = { env: toolchainEnv, giveUpMs: 900_000 };
    const built = await place.cuervo(['plugin', 'build', `link-check/${folder}`], options);
    expect({ code: built.code, error: built.stderr }).toMatchObject({ code: 0 });
    const file = `link-check/${folder}/dist/${name}.wasm`;
    const installed = await place.cuervo(['plugin', 'install', file, '--yes']);
    expect({ code: installed.code, error: installed.stderr }).toMatchObject({ code: 0 });
  }, 900_000);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    place[Symbol.dispose]();
  });

  const run = async (urls: readonly string[], ...flags: string[]) =>
    await place.cuervo(['run', `${name}.check`, JSON.stringify({ urls }), ...flags]);

  it.skipIf(missing !== undefined)(`asks for all addresses at once${title}`, async () => {
    const urls = Array.from({ length: atOnce }, (_, at) => `${origin}/together/${at}`);
    const { stdout, code } = await run([...urls, 'ftp://a'], '--allow', `http:${origin}`);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as string[]).sort()).toEqual([
      'ftp://a: no address of the web',
      ...urls.map((url, at) => `${url}: ${at === 0 ? 404 : 200}`),
    ]);
  });

  it.skipIf(missing !== undefined)(`asks nobody without the grant${title}`, async () => {
    asked = 0;
    const denied = await run([`${origin}/1`]);
    expect(denied.code).toBe(3);
    expect(denied.stderr).toContain(`--allow http:${origin}`);
    expect(asked).toBe(0);
    const failed = await run(['ftp://a'], '--allow', `http:${origin}`);
    expect(failed.code).not.toBe(3);
    expect(failed.stderr).toContain('no address answered');
  });

  it.skipIf(missing !== undefined)(`shows a line while others are asked${title}`, async () => {
    const shown: string[] = [];
    await using kernel = await openKernel({
      ...{ home: place.home, workspace: place.work, allow: [`http:${origin}`] },
      onToolEvent: (_, event) => {
        if (event.type !== 'progress') return;
        shown.push(event.label);
        release();
      },
    });
    const urls = [`${origin}/held`, `${origin}/1`];
    const { content } = await runOne(kernel, `${name}.check`, { urls });
    const lines = [`${origin}/1: 200`, `${origin}/held: 200`];
    expect([shown, content]).toEqual([lines, lines]);
  });
});
