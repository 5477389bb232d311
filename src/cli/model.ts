import type { Command } from 'commander';
import { listenForInterrupt } from './interrupt.ts';
import { print, printJson } from './output.ts';
import { startProgress } from './progress.ts';

const examples = `
Examples:
  cuervo model test ./SmolLM2-135M-Instruct.Q4_1.gguf
  cuervo model test claude-sonnet-4-5 --json

The test asks for six tool choices and two answers from given lines. cuervo keeps the
result with the model's digest. By it, "ask" lets the model choose tools and word answers,
lets it word answers only, or shows the passages alone.
`;

const roleTexts = {
  choose: 'it may choose tools and word answers',
  word: 'it may word answers; the tools are chosen by rules',
  none: 'the passages are shown without its words',
} as const;

export function addModelCommand(program: Command): void {
  program
    .command('model')
    .description('test a model')
    .addHelpText('afterAll', examples)
    .command('test <model>')
    .description('find out what a model can be trusted with (about a minute)')
    .option('--json', 'the score as one object')
    .action(async (model: string, flags: { json?: boolean }) => {
      using interrupt = listenForInterrupt();
      using progress = startProgress(!flags.json);
      const { openKernel } = await import('../kernel.ts');
      await using kernel = await openKernel({ model });
      const score = await kernel.testModel({
        signal: interrupt.signal,
        onProgress: ({ label, done, total }) => progress.set(`${done}/${total} ${label}`),
      });
      progress.clear();
      if (flags.json) printJson({ model, ...score });
      else {
        print(`tool choices  ${Math.round(score.choose * 6)} of 6`);
        print(`answers       ${Math.round(score.word * 2)} of 2`);
        print(`speed         ${Math.round(score.charsPerSecond)} characters a second`);
        print(`role          ${score.role}: ${roleTexts[score.role]}`);
      }
    });
}
