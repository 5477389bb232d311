import type { EventOf, RunEvent } from '../contracts/events.ts';
import { escapeTerminal } from '../lib/text/escape.ts';
import { linesAmong, passageText, placeOf } from '../lib/text/passage-text.ts';
import { createCallLines, spentText, tellGuard } from './call-lines.ts';
import type { MarkdownView } from './markdown/markdown-view.ts';
import { createSpokenWords, noteLine, tellError } from './output.ts';
import type { Progress } from './progress.ts';
import { bold, diffLine, isColoured, pathStyle, terminalColumns } from './style.ts';

/** Shows a question's events to a person as they come. */
export type AnswerView = { show(event: RunEvent): Promise<void> };

export function createAnswerView(
  question: string,
  progress: Progress,
  { quiet = false }: { quiet?: boolean },
): AnswerView {
  const words = createSpokenWords();
  const calls = createCallLines(progress);
  let withModel = false;
  /** the evidence stands before the words of a model */
  let hasPassages = false;
  /** renders a model's words */
  let markdown: MarkdownView | undefined;
  /** words of a reply that is not shown yet, because it may turn out to be thoughts */
  let held = '';

  const endWords = (): void => {
    const rest = markdown?.end() ?? held;
    held = '';
    // The line that tells of progress may stand where they go.
    if (rest !== '') progress.clear();
    words.say(rest);
    markdown = undefined;
    words.end();
  };
  const say = async (delta: string, isOurs: boolean): Promise<void> => {
    progress.clear();
    const text = escapeTerminal(delta);
    if (isOurs) {
      if (markdown !== undefined) endWords();
      words.say(held);
      held = '';
      words.say(styled(text));
    } else if (isColoured()) {
      const { createMarkdownView } = await import('./markdown/markdown-view.ts');
      markdown ??= createMarkdownView(terminalColumns());
      words.say(markdown.push(text));
    } else if (terminalColumns() === undefined) held += text;
    else words.say(text);
  };

  return {
    show: async (event) => {
      if (event.type === 'plan' || event.type === 'answer' || event.type === 'error') endWords();
      switch (event.type) {
        case 'run-started':
          withModel = event.model !== 'none';
          if (withModel) progress.set('thinking');
          break;
        case 'usage':
          // Progress would be drawn over words on an unfinished line.
          if (markdown === undefined && !words.isOpen())
            progress.set(`thinking (${spentText(event.spent)})`);
          break;
        case 'plan':
          if (event.steps.length === 0) progress.set('thinking');
          break;
        case 'step-started':
          progress.set(event.tool);
          break;
        case 'step-finished':
          progress.set('thinking');
          break;
        case 'text':
          if (event.replaces === true) {
            held = '';
            endWords();
          }
          hasPassages ||= event.mode === 'extractive';
          await say(event.delta, event.mode === 'extractive');
          break;
        case 'answer':
          progress.clear();
          if (event.mode === 'model' && !hasPassages) showEvidence(event, question);
          showDeeds(event);
          break;
        case 'error':
          progress.clear();
          tellError(event, { json: false });
          break;
        case 'guard':
          if (!quiet) tellGuard(event);
          break;
      }
      if (!withModel || quiet) return;
      calls.tell(event);
      // Without a model, the answer itself says so.
      if (event.type === 'step-finished') tellDenied(event);
    },
  };
}

/** Tells of a denied step: a model may claim that it was done. */
function tellDenied({ status, error }: EventOf<'step-finished'>): void {
  if (status !== 'denied' || error === undefined) return;
  const hint = error.hint === undefined ? '' : ` (${error.hint})`;
  noteLine(`note: not done: ${error.message}${hint}`);
}

/** Passages shown in full under a model's words; the others are only named. */
const shownPassages = 3;

/**
 * The evidence for the model's words is always shown, so that a person can spot its inventions.
 */
function showEvidence(answer: EventOf<'answer'>, question: string): void {
  if (answer.evidence.length === 0) return;
  const shown = answer.evidence.slice(0, shownPassages);
  const named = answer.evidence.slice(shownPassages);
  const columns = terminalColumns() ?? Number.POSITIVE_INFINITY;
  const parts = shown.map((piece) =>
    styled(escapeTerminal(passageText(piece, question, linesAmong(shown.length), columns))),
  );
  if (named.length > 0)
    parts.push(
      `Also:\n${named.map((piece) => `  ${pathStyle(escapeTerminal(placeOf(piece)))}`).join('\n')}`,
    );
  process.stdout.write(`\n${bold('Evidence:')}\n\n${parts.join('\n\n')}\n`);
}

/** A model may say that it did what was denied. */
function showDeeds({ changed = 0, denied = 0 }: EventOf<'answer'>): void {
  if (denied > 0) process.stdout.write(`\nChanged: ${changed}. Denied: ${denied}.\n`);
}

/** Places, marked lines of passages and lines of diffs stand out where the terminal can show it. */
function styled(text: string): string {
  return text.split('\n').map(styledLine).join('\n');
}

function styledLine(line: string): string {
  if (/^> +\d+ /.test(line)) return bold(line);
  if (/^\S.*:\d+(?:-\d+)?(?: {2}in \S.*| {2}\(.*\))?$/.test(line)) return pathStyle(line);
  // Results are indented.
  return /^ {2}(?:[+-]|@@|diff --git )/.test(line) ? `  ${diffLine(line.slice(2))}` : line;
}
