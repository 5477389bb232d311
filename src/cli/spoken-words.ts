import { isWordLineOpen, setLineOpen } from './output.ts';

/** Words on standard output as they are said, piece by piece. */
export type SpokenWords = {
  say(text: string): void;
  /** Ends the line that the words stand on, so that nothing is written behind or over them. */
  end(): void;
  /** whether the words stand on a line that has not ended */
  isOpen(): boolean;
};

export function createSpokenWords(): SpokenWords {
  return {
    say: (text) => {
      if (text === '') return;
      process.stdout.write(text);
      setLineOpen(!text.endsWith('\n'));
    },
    end: () => {
      if (isWordLineOpen()) process.stdout.write('\n');
      setLineOpen(false);
    },
    isOpen: isWordLineOpen,
  };
}
