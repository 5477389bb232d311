/**
 * In place of a program that transpiles, compiles or runs a model: tries to reach what none of them
 * needs, and says what came of it. What to look for stands in the file that it is given, or comes on
 * standard input.
 */
import fs from 'node:fs';

/** A process that transpiles loads neither of them: what they do then fails. */
const { spawnSync } = await loadIfOpen('node:child_process');
const { connect } = await loadIfOpen('node:net');

/** A model process is told where its model lies, and answers on descriptor 3. */
const isModel = process.argv[2] !== 'stdin';

async function loadIfOpen(name) {
  try {
    return await import(name);
  } catch {
    return {};
  }
}

function attempt(work) {
  try {
    const result = work();
    return `ok ${result ?? ''}`.trim();
  } catch {
    return 'failed';
  }
}

function connects(port) {
  return new Promise((resolve) => {
    try {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => resolve('ok')).on('error', () => resolve('failed'));
      socket.once('connect', () => socket.destroy());
    } catch {
      resolve('failed');
    }
  });
}

const text = (path) => fs.readFileSync(path, 'utf8').trim();

/** A model process may write in one folder; native code could lay links there. */
function writes(folder, { outside, work }) {
  const through = (name, target) =>
    attempt(() => {
      fs.rmSync(`${folder}/${name}`, { force: true });
      fs.symlinkSync(target, `${folder}/${name}`);
      fs.writeFileSync(`${folder}/${name}/written`, '');
    });
  return {
    writeOwn: attempt(() => fs.writeFileSync(`${folder}/own`, 'state')),
    writeAbove: attempt(() => fs.writeFileSync(`${folder}/../written`, '')),
    readNeighbour: attempt(() => text(`${folder}/../neighbour/state`)),
    writeThroughLink: through('link', work),
    writeThroughParent: through('up', `../../../work`),
    readThroughLink: attempt(() => {
      fs.symlinkSync(outside, `${folder}/out`);
      return text(`${folder}/out/secret.txt`);
    }),
  };
}

async function probe({ outside, home, work, port }, model) {
  return {
    ...(model === undefined ? {} : { readModel: attempt(() => text(model)) }),
    readSecret: attempt(() => text(`${outside}/secret.txt`)),
    readWork: attempt(() => text(`${work}/inside.txt`)),
    readBesideModel: attempt(() => text(`${work}/models/other.gguf`)),
    readBesideModelInside: attempt(() => text((model ?? '/none').replace('model.', 'other.'))),
    readHome: attempt(() => text(`${home}/config.toml`)),
    readSystem: attempt(() => text('/etc/passwd').slice(0, 0)),
    listTop: attempt(() => fs.readdirSync('/').includes('etc') || fs.readFileSync('/etc')),
    write: attempt(() => fs.writeFileSync(`${work}/written`, '')),
    writeTemporary: attempt(() => fs.writeFileSync(`/tmp/cuervo-reader-${port}`, '')),
    writeCode: attempt(() => fs.writeFileSync(new URL('written.mjs', import.meta.url), '')),
    writeKernel: attempt(() => fs.writeFileSync('/proc/self/comm', 'other')),
    program: attempt(() => {
      const { error } = spawnSync(process.execPath, ['--version']);
      if (error !== undefined) throw error;
    }),
    connect: await connects(port),
    environment: process.env.PROBE === undefined ? 'failed' : 'ok',
  };
}

if (isModel) {
  process.stdin.once('data', async (line) => {
    const { inputs, model, folder } = JSON.parse(line.toString());
    const found = await probe(inputs, model);
    const own = folder === undefined ? {} : writes(folder, inputs);
    fs.writeSync(3, JSON.stringify({ ...found, ...own }));
    process.exit(0);
  });
} else {
  const inputs = JSON.parse(fs.readFileSync(0, 'utf8'));
  fs.writeSync(1, JSON.stringify(await probe(inputs)));
}
