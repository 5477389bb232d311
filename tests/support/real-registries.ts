import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tools = process.env.CUERVO_TEST_TOOLS ?? '';
const verdaccio = join(tools, 'node_modules/verdaccio/bin/verdaccio');

/** `npm install --prefix $CUERVO_TEST_TOOLS verdaccio` brings it. */
export const hasVerdaccio = tools !== '' && existsSync(verdaccio);
/** `apt-get install docker-registry` brings it. */
export const hasDockerRegistry = spawnSync('docker-registry', ['--version']).status === 0;

/** A registry on loopback that others wrote; it ends with its disposal. */
export type RealRegistry = Disposable & {
  /** `127.0.0.1:PORT` */
  host: string;
  /** For a registry of npm: what stands in the `.npmrc` of somebody who may publish. */
  npmrc: string;
};

export async function openVerdaccio(): Promise<RealRegistry> {
  const { host, dir, started } = await makePlace('verdaccio');
  writeFileSync(
    join(dir, 'v.yaml'),
    `storage: ${dir}/storage\nauth: {htpasswd: {file: ${dir}/htpasswd}}\nuplinks: {}\npackages: {'**': {access: $all, publish: $all}}\nlog: {type: stdout, level: fatal}\n`,
  );
  const url = `http://${host}/`;
  const registry = await started(
    process.execPath,
    [verdaccio, '-c', join(dir, 'v.yaml'), '-l', host],
    `${url}-/ping`,
  );
  const user = await fetch(`${url}-/user/org.couchdb.user:me`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'me', password: 'secret12345' }),
  });
  const { token } = (await user.json()) as { token: string };
  return { ...registry, npmrc: `registry=${url}\n//${host}/:_authToken=${token}\n` };
}

export async function openDockerRegistry(): Promise<RealRegistry> {
  const { host, dir, started } = await makePlace('oci');
  writeFileSync(
    join(dir, 'r.yml'),
    `version: 0.1\nlog: {level: error}\nstorage: {filesystem: {rootdirectory: ${dir}/oci}}\nhttp: {addr: '${host}'}\n`,
  );
  return await started('docker-registry', ['serve', join(dir, 'r.yml')], `http://${host}/v2/`);
}

async function makePlace(name: string) {
  const dir = mkdtempSync(join(tmpdir(), `cuervo-${name}-`));
  const host = `127.0.0.1:${await freePort()}`;
  const started = async (program: string, args: string[], url: string): Promise<RealRegistry> => {
    const child = spawn(program, args, { stdio: 'ignore' });
    const end = (): void => {
      child.kill();
      rmSync(dir, { recursive: true, force: true });
    };
    await untilUp(url).catch((thrown: unknown) => {
      end();
      throw thrown;
    });
    return { host, npmrc: '', [Symbol.dispose]: end };
  };
  return { dir, host, started };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Waits until a server that was just started answers. */
async function untilUp(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${url} does not answer`);
}
