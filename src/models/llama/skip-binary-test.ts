import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';

/** The answers of the library's test process when all is well. */
const answers: Readonly<Record<string, string>> = { start: 'loaded', test: 'done' };

/**
 * Makes node-llama-cpp skip the test of its native code. It would load the code in a further
 * process to see whether that crashes. This process serves that purpose already, and may start no
 * other.
 */
export function skipBinaryTest(): void {
  const childProcess = createRequire(import.meta.url)('node:child_process') as {
    fork(): ChildProcess;
  };
  childProcess.fork = () => {
    const events = new EventEmitter();
    const say = (type: string | undefined): void =>
      void setImmediate(() =>
        type === undefined ? events.emit('exit', 0) : events.emit('message', { type }),
      );
    say('ready');
    return Object.assign(events, {
      exitCode: null,
      killed: false,
      kill: () => true,
      send: ({ type }: { type: string }) => {
        say(answers[type]);
        return true;
      },
    }) as unknown as ChildProcess;
  };
  syncBuiltinESMExports();
}
