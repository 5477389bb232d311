/** What models put around their thoughts, where their server leaves them in the words. */
const tags = ['think', 'thinking', 'thought', 'reasoning'];
const opening = new RegExp(`^\\s*<(${tags.join('|')})>`, 'i');

/** The words of a reply as they come, without the thoughts at its beginning. */
export type WithoutThoughts = {
  /** whether there were any */
  readonly thought: boolean;
  /** @returns what is certainly words */
  push(delta: string): string;
  /** @returns the rest of the words */
  end(): string;
};

export function withoutThoughts(): WithoutThoughts {
  let state: 'begin' | 'thoughts' | 'gap' | 'words' = 'begin';
  let thought = false;
  let closing = '';
  let held = '';

  const push = (delta: string): string => {
    if (state === 'words') return delta;
    held += delta;
    if (state === 'begin') {
      const [found, tag = ''] = opening.exec(held) ?? [];
      if (found === undefined) return mayBecomeOpening(held) ? '' : flush();
      closing = `</${tag.toLowerCase()}>`;
      held = held.slice(found.length);
      state = 'thoughts';
      thought = true;
    }
    if (state === 'thoughts') {
      const at = held.toLowerCase().indexOf(closing);
      if (at < 0) {
        // The mark may come in two pieces.
        held = held.slice(-closing.length);
        return '';
      }
      held = held.slice(at + closing.length);
      state = 'gap';
    }
    held = held.trimStart();
    return held === '' ? '' : flush();
  };

  const flush = (): string => {
    const words = held;
    held = '';
    state = 'words';
    return words;
  };

  return {
    get thought() {
      return thought;
    },
    push,
    end: () => (state === 'begin' ? flush() : ''),
  };
}

function mayBecomeOpening(text: string): boolean {
  const begun = text.trimStart().toLowerCase();
  return tags.some((tag) => `<${tag}>`.startsWith(begun));
}
