/** A store for each run. A plugin handles one call after the other, so a variable is enough. */
export class AsyncLocalStorage<Store> {
  #store: Store | undefined;

  getStore(): Store | undefined {
    return this.#store;
  }

  enterWith(store: Store): void {
    this.#store = store;
  }

  run<Result>(store: Store, run: (...values: unknown[]) => Result, ...values: unknown[]): Result {
    const before = this.#store;
    this.#store = store;
    const restore = (): void => {
      this.#store = before;
    };
    let result: Result;
    try {
      result = run(...values);
    } catch (thrown) {
      restore();
      throw thrown;
    }
    if (result instanceof Promise) return result.finally(restore) as Result;
    restore();
    return result;
  }

  exit<Result>(run: (...values: unknown[]) => Result, ...values: unknown[]): Result {
    return this.run(undefined as Store, run, ...values);
  }

  disable(): void {
    this.#store = undefined;
  }
}

export class AsyncResource {
  runInAsyncScope<Result>(
    run: (...values: unknown[]) => Result,
    self?: unknown,
    ...values: unknown[]
  ): Result {
    return run.apply(self, values);
  }

  emitDestroy(): this {
    return this;
  }

  asyncId(): number {
    return 1;
  }
}

export const executionAsyncId = (): number => 1;
export const triggerAsyncId = (): number => 0;
export const createHook = (): object => ({ enable: () => {}, disable: () => {} });
export default { AsyncLocalStorage, AsyncResource, executionAsyncId, triggerAsyncId, createHook };
