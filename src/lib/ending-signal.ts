export type EndingSignal = {
  /** fires with the outer one, and at the end */
  readonly signal: AbortSignal;
  end(): void;
};

/**
 * A signal for what must not outlive a piece of work. It is made when somebody first asks for it:
 * joining signals is dear beside a short call, and most calls ask for nothing that takes time.
 */
export function createEndingSignal(outer: AbortSignal): EndingSignal {
  let made: { controller: AbortController; signal: AbortSignal } | undefined;
  let hasEnded = false;
  return {
    get signal() {
      if (made === undefined) {
        const controller = new AbortController();
        made = { controller, signal: AbortSignal.any([outer, controller.signal]) };
        if (hasEnded) controller.abort();
      }
      return made.signal;
    },
    end: () => {
      hasEnded = true;
      made?.controller.abort();
    },
  };
}
