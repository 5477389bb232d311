/** Words of an answer, sent line by line: a line is looked at whole before it is shown. */
export type ShownWords = {
  add(delta: string): Promise<void>;
  /** Sends the line that has not ended. */
  end(): Promise<void>;
};

/** Characters that wait for the end of their line. */
const maxHeld = 16_384;
/** A key of several lines is one thing. */
const openBlock = /-----BEGIN [A-Z0-9 ]{1,60}-----(?![\s\S]*-----END )/;

/** @param shown a text as a person may see it */
export function createShownWords(
  shown: (text: string) => string,
  send: (text: string) => Promise<void>,
): ShownWords {
  let held = '';
  const flush = async (text: string): Promise<void> => {
    if (text !== '') await send(shown(text));
  };
  return {
    add: async (delta) => {
      held += delta;
      const end = held.length > maxHeld ? held.length : held.lastIndexOf('\n') + 1;
      if (end === 0 || (held.length <= maxHeld && openBlock.test(held))) return;
      const text = held.slice(0, end);
      held = held.slice(end);
      await flush(text);
    },
    end: async () => {
      const text = held;
      held = '';
      await flush(text);
    },
  };
}
