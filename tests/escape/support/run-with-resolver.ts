import { openKernel } from 'cuervo';

/**
 * Runs one tool as `cuervo run` does, with a resolver whose nth answer is the nth of a list and
 * then the last one: for names that lead elsewhere when they are looked up again.
 *
 * Arguments: tool, input, grants with commas between them, answers as JSON. Prints events as lines of JSON.
 */
const [tool = '', input = '{}', allow = '', answers = '[]'] = process.argv.slice(2);
const list = JSON.parse(answers) as string[][];
let asked = 0;

await using kernel = await openKernel({
  allow: allow.split(','),
  resolveHost: async () => {
    asked += 1;
    return list[Math.min(asked, list.length) - 1] ?? [];
  },
});
for await (const event of kernel.run(tool, JSON.parse(input))) {
  if (event.type === 'run-finished') {
    console.log(JSON.stringify({ type: 'resolver', asked }));
    process.exitCode = event.exitCode;
  }
  console.log(JSON.stringify(event));
}
