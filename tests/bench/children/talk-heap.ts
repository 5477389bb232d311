// Prints the bytes by which the heap of a conversation grows: after 20 turns, and after as many as
// the first argument says. The other arguments are its home and workspace.
import { eventsOf, openScriptedKernel } from '../open-scripted-kernel.ts';

const [turns = '500', home = '', workspace = ''] = process.argv.slice(2);
const settled = 20;

function heapBytes(): number {
  for (let pass = 0; pass < 3; pass += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

await using kernel = await openScriptedKernel({
  ...{ home, workspace },
  reply: ({ messages }, number) =>
    messages.at(-1)?.role === 'tool'
      ? { text: `Answer ${number} to what was asked.` }
      : { calls: [{ name: 'file.read', input: { path: `f${number % 7}.txt` } }] },
});
let before = 0;
for (let turn = 1; turn <= Number(turns); turn += 1) {
  const question = `what does file ${turn} of the project say about it?`;
  await eventsOf(kernel.ask(question, { continueSession: true }));
  if (turn === settled) before = heapBytes();
}
process.stdout.write(`${heapBytes() - before}\n`);
