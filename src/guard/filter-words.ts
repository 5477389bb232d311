/** A word longer than this is passed on in parts. */
const maxHeld = 16 * 1024;

export type WordFilter = {
  /** what can be said of it by now */
  push(delta: string): string;
  /** the rest */
  end(): string;
};

/**
 * Words of a model as they come, each looked at when it is whole: an address, a key and a stand-in
 * have no white space in them, so nothing of one is said before all of it is known.
 *
 * @param look what becomes of a part; ends at white space
 */
export function createWordFilter(look: (part: string) => string): WordFilter {
  let held = '';
  return {
    push: (delta) => {
      held += delta;
      const last = /\s\S*$/.exec(held.slice(-maxHeld))?.[0];
      if (last === undefined && held.length <= maxHeld) return '';
      const cut = last === undefined ? held.length : held.length - last.length + 1;
      const ready = held.slice(0, cut);
      held = held.slice(cut);
      return look(ready);
    },
    end: () => {
      const rest = held;
      held = '';
      return look(rest);
    },
  };
}
