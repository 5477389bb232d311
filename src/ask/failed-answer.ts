import { shellWord } from '../lib/text/escape.ts';

/** What a run did before its model failed. */
export type DoneSoFar = {
  /** paths of files that it changed */
  changed: readonly string[];
  /** command lines that ran */
  commands: readonly string[];
  run: string;
};

const maxNamed = 8;

/**
 * What a person is told in place of a model's answer: why there is none, what was done, how that is
 * taken back, and how to go on.
 *
 * @param options.reason a sentence without its full stop
 * @param options.isChat the next message goes on
 */
export function failedAnswer(options: {
  reason: string;
  done: DoneSoFar;
  isChat: boolean;
}): string {
  const { reason, done, isChat } = options;
  const lines = [`The model did not answer: ${reason}.`];
  if (done.changed.length > 0) {
    lines.push(
      `Changed so far: ${named(done.changed)}. Undo it with: ${isChat ? '/undo' : 'cuervo undo'} ${done.run}`,
    );
  }
  if (done.commands.length > 0) lines.push(`Ran so far: ${named(done.commands.map(shellWord))}.`);
  lines.push(
    `Nothing that was said is lost; go on with: ${isChat ? 'go on' : 'cuervo ask -c "go on"'}`,
  );
  return lines.join('\n');
}

function named(all: readonly string[]): string {
  const shown = all.slice(0, maxNamed).join(', ');
  return all.length > maxNamed ? `${shown} and ${all.length - maxNamed} more` : shown;
}
