/**
 * cuervo as a library: asks one question about a folder and prints where the answer stands.
 *
 *   node examples/ask-a-folder.ts DIR "where is the retry limit set?"
 *
 * State goes to CUERVO_HOME, as on the command line; `home` in the options names another folder.
 */
import { exitCodes, KernelError, openKernel } from 'cuervo';

const [workspace = '.', question = 'what is left to do?'] = process.argv.slice(2);

try {
  process.exitCode = await ask();
} catch (thrown) {
  // openKernel() throws when it cannot open the folder, for example a missing one.
  if (!(thrown instanceof KernelError)) throw thrown;
  console.error(`${thrown.message}\n${thrown.hint}`);
  process.exitCode = exitCodes[thrown.code];
}

async function ask(): Promise<number> {
  // The kernel opens what a question needs, and closes it at the end of this function.
  await using kernel = await openKernel({ workspace });

  // Everything is told as one stream of events; failure of a run is an event, too.
  for await (const event of kernel.ask(question)) {
    if (event.type === 'step-finished') console.error(`${event.step}: ${event.summary}`);
    if (event.type === 'answer') {
      for (const { path, line, text } of event.evidence) {
        console.log(`${path}:${line}: ${text.split('\n', 1)[0]?.trim()}`);
      }
    }
    if (event.type === 'error') console.error(`${event.message}\n${event.hint}`);
    if (event.type === 'run-finished') return event.exitCode;
  }
  return 0;
}
