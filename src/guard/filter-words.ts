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
 * @param openFrom where words begin that are said when it is known how they go on
 */
export function createWordFilter(
  look: (part: string) => string,
  openFrom: (text: string) => number,
): WordFilter {
  let held = '';
  return {
    push: (delta) => {
      held += delta;
      const last = /\s\S*$/.exec(held.slice(-maxHeld))?.[0];
      if (last === undefined && held.length <= maxHeld) return '';
      const whole = last === undefined ? held.length : held.length - last.length + 1;
      const cut = held.length > maxHeld ? whole : Math.min(whole, openFrom(held.slice(0, whole)));
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
