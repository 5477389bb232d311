import { areNotesHeld, oneLine, setProgressShown, takeLineAway } from './output.ts';

const delayMs = 200;
const frameMs = 100;
const frames = ['-', '\\', '|', '/'];

/** One line on standard error that says what is going on, while a person waits for it. */
export type Progress = Disposable & {
  set(label: string): void;
  /** Takes the line away, for output that goes to the same terminal. */
  clear(): void;
};

/**
 * Nothing is shown before 200 ms have passed, nor where standard error is no terminal.
 */
export function startProgress(enabled: boolean): Progress {
  if (!enabled || !process.stderr.isTTY) {
    return { set: () => {}, clear: () => {}, [Symbol.dispose]: () => {} };
  }
  const startedMs = Date.now();
  let label = '';
  let shown = false;
  const clear = (): void => {
    if (shown && !areNotesHeld()) process.stderr.write(takeLineAway);
    shown = false;
    setProgressShown(false);
  };
  const draw = (): void => {
    const elapsedMs = Date.now() - startedMs;
    if (label === '' || elapsedMs < delayMs || areNotesHeld()) return;
    const frame = frames[Math.floor(elapsedMs / frameMs) % frames.length];
    const text = `${frame} ${label} ${(elapsedMs / 1000).toFixed(1)} s`;
    process.stderr.write(`${takeLineAway}${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
    shown = true;
    setProgressShown(true);
  };
  const timer = setInterval(draw, frameMs);
  return {
    set: (next) => {
      label = oneLine(next);
    },
    clear: () => {
      clear();
      label = '';
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      clear();
    },
  };
}
