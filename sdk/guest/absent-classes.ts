/**
 * Classes of the web that a plugin has no use for. Packages name them in tables and behind
 * `instanceof`, so that they are there; to make one throws, with what helps.
 *
 * @param instead name -> what to use in its place
 */
export function standInFor(instead: Readonly<Record<string, string>>): void {
  for (const [name, help] of Object.entries(instead)) {
    const { [name]: StandIn } = {
      [name]: class {
        constructor() {
          throw new TypeError(`a plugin has no ${name}: ${help}`);
        }
      },
    };
    Object.defineProperty(globalThis, name, {
      value: StandIn,
      configurable: true,
      writable: true,
    });
  }
}
