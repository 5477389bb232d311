import { areNotesHeld, isQuiet, note, oneLine, setProgressShown, takeLineAway } from './output.ts';

const delayMs = 200;
const frameMs = 100;
/** Pause between two lines of progress in a file or a machine's log. */
const logEveryMs = 5000;
const frames = ['-', '\\', '|', '/'];

/** A line on standard error that tells a waiting person what is going on. */
export type Progress = Disposable & {
  set(label: string): void;
  /** Takes the line away, for output that goes to the same terminal. */
  clear(): void;
};

/**
 * A line that is redrawn, once 200 ms have passed; where standard error is not a terminal that can
 * do that, a line every 5 s.
 */
export function startProgress(enabled: boolean): Progress {
  if (!enabled || isQuiet()) return { set: () => {}, clear: () => {}, [Symbol.dispose]: () => {} };
  return process.stderr.isTTY && process.env.TERM !== 'dumb' ? redrawLine() : logLines();
}

function logLines(): Progress {
  const startedMs = Date.now();
  let label = '';
  const timer = setInterval(() => {
    if (label !== '') note(`${label} (${Math.round((Date.now() - startedMs) / 1000)} s)`);
  }, logEveryMs);
  // The line must not keep the process alive; the work does.
  timer.unref();
  return {
    set: (next) => {
      label = oneLine(next);
    },
    clear: () => {
      label = '';
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function redrawLine(): Progress {
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
    const text = `${frame} ${label} (${(elapsedMs / 1000).toFixed(1)} s)`;
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
