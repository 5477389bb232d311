import { type SpawnOptions, spawn } from 'node:child_process';
import { orphanReaper } from '../../../src/lib/process/child.ts';
import { spawnModelProcess } from '../../../src/models/spawn-model-process.ts';
import { confinePlainly } from '../../../src/sandbox/confine-program.ts';

/** Starts what it is told, as the kernel does, says its process id, and waits to be killed. */
const [what = '', path = ''] = process.argv.slice(2);

if (what === 'group') {
  // The one that it starts leads a group of its own, and says its id.
  const line = "setsid sh -c 'echo $$; exec sleep 600' & wait";
  const options: SpawnOptions = { detached: true, stdio: ['ignore', 'inherit', 'ignore'] };
  orphanReaper.begin();
  orphanReaper.watch(spawn('/bin/sh', ['-c', line], options), 'group');
} else {
  const { folder, file } = { folder: path.replace(/[^/]*$/, ''), file: path };
  const model = await spawnModelProcess(
    { childPath: file, reads: { folder, files: [] }, confine: async (one) => confinePlainly(one) },
    { replyFd: 3, onStartFailure: () => {}, onEnd: () => {} },
  );
  model.replies.on('data', (bytes: Buffer) => process.stdout.write(bytes));
}
setInterval(() => {}, 60_000);
