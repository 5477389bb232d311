// Writes COUNT settings named PREFIX-0 … and prints each name when it is committed.
// With --tell it prints, too, that it waits for another process.
// write-store.ts DATABASE PREFIX COUNT [UID | --tell]
import { writeSync } from 'node:fs';
import { KernelError } from '../../../src/contracts/error.ts';
import { openStore } from '../../../src/store/open-store.ts';

const [path, prefix, count, uid] = process.argv.slice(2);
if (uid === '--tell') {
  Atomics.wait = new Proxy(Atomics.wait, {
    apply: (wait, self, given) => {
      writeSync(1, 'waits for the file\n');
      return Reflect.apply(wait, self, given);
    },
  });
} else if (uid !== undefined) {
  // loaded before the user changes: the new one may not be able to read this folder
  process.setuid?.(Number(uid));
}
try {
  using store = openStore({ path: path! });
  for (let position = 0; position < Number(count); position++) {
    store.setSetting(`${prefix}-${position}`, { filler: 'x'.repeat(1_000) });
    process.stdout.write(`${prefix}-${position}\n`);
  }
} catch (thrown) {
  const error = thrown instanceof KernelError ? thrown : undefined;
  process.stdout.write(
    `${JSON.stringify({ name: error?.name, code: error?.code, message: error?.message, hint: error?.hint })}\n`,
  );
}
