import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from './start-server.ts';

const tools = process.env.CUERVO_TEST_TOOLS ?? '';
const verdaccio = join(tools, 'node_modules/verdaccio');

/** `npm install --prefix $CUERVO_TEST_TOOLS verdaccio` brings it. */
export const hasVerdaccio = tools !== '' && existsSync(verdaccio);
/** `apt-get install docker-registry` brings it. */
export const hasDockerRegistry = spawnSync('docker-registry', ['--version']).status === 0;

/** Which of both are missing; empty where none is. */
export const lacksRegistries = [
  ...(hasVerdaccio ? [] : ['no verdaccio in $CUERVO_TEST_TOOLS']),
  ...(hasDockerRegistry ? [] : ['no docker-registry']),
].join(', ');

/** A registry on loopback that others wrote; it ends with its disposal. */
export type RealRegistry = Disposable & {
  /** `127.0.0.1:PORT` */
  host: string;
  /** For a registry of npm: what stands in the `.npmrc` of somebody who may publish. */
  npmrc: string;
};

/** Verdaccio's own command takes no port of the system's choice. */
const serveVerdaccio = `
const { runServer } = require(process.argv[1]);
runServer(process.argv[2]).then((server) => {
  server.listen(0, '127.0.0.1', () => console.log('listening on 127.0.0.1:' + server.address().port));
});`;

export async function openVerdaccio(): Promise<RealRegistry> {
  const dir = makeFolder('verdaccio');
  const config = join(dir, 'v.yaml');
  writeFileSync(
    config,
    `storage: ${dir}/storage
auth: {htpasswd: {file: ${dir}/htpasswd}}
uplinks: {}
packages: {'**': {access: $all, publish: $all}}
max_body_size: 100mb
server: {keepAliveTimeout: 60}
log: {type: stdout, level: error}
`,
  );
  const registry = await start(dir, process.execPath, ['-e', serveVerdaccio, verdaccio, config]);
  try {
    return { ...registry, npmrc: await registered(registry.host) };
  } catch (thrown) {
    registry[Symbol.dispose]();
    throw thrown;
  }
}

/** @returns the `.npmrc` of a new user */
async function registered(host: string): Promise<string> {
  const url = `http://${host}/`;
  const user = await fetch(`${url}-/user/org.couchdb.user:me`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'me', password: 'secret12345' }),
  });
  const text = await user.text();
  if (!user.ok) throw new Error(`verdaccio took no user: ${user.status} ${text}`);
  const { token } = JSON.parse(text) as { token: string };
  return `registry=${url}\n//${host}/:_authToken=${token}\n`;
}

export async function openDockerRegistry(): Promise<RealRegistry> {
  const dir = makeFolder('oci');
  const config = join(dir, 'r.yml');
  writeFileSync(
    config,
    `version: 0.1\nlog: {level: info}\nstorage: {filesystem: {rootdirectory: ${dir}/oci}}\nhttp: {addr: '127.0.0.1:0'}\n`,
  );
  return { ...(await start(dir, 'docker-registry', ['serve', config])), npmrc: '' };
}

function makeFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `cuervo-${name}-`));
}

/** @param dir removed with its disposal */
async function start(
  dir: string,
  program: string,
  args: string[],
): Promise<Omit<RealRegistry, 'npmrc'>> {
  const remove = (): void => rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
  try {
    const { child, host } = await startServer(program, args);
    const end = (): void => {
      child.kill('SIGKILL');
      remove();
    };
    return { host, [Symbol.dispose]: end };
  } catch (thrown) {
    remove();
    throw thrown;
  }
}
