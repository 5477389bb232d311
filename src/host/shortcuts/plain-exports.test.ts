import { describe, expect, it } from 'vitest';
import { plainExports } from './plain-exports.ts';

/** An export as the transpiler writes it, and what it keeps its books with. */
const glue = (more: { inside?: string; beside?: string } = {}): string => `
export function instantiate(getCoreModule, imports) {
  const ASYNC_STATE = new Map();
  const INSTANCE_FLAGS = new Map([[0, { value: 1 }]]);
  function _normalizeCoreTrap(err) { return err; }
  const _debugLog = () => {};
  class AsyncTask { enterSync() { return getOrCreateAsyncState(0).enter(this); } }
  class ComponentAsyncState { static KINDS = ['a']; made = new AsyncTask(); }
  function getOrCreateAsyncState(componentIdx) {
    ASYNC_STATE.set(componentIdx, new ComponentAsyncState());
    return ASYNC_STATE.get(componentIdx);
  }
  function createNewCurrentTask(args) { return [new AsyncTask(args), 1]; }
  function _withGlobalCurrentTaskMeta(args) { return args.fn(); }
  const CURRENT_TASK_MAY_BLOCK = { value: 0 };
  const { f, postReturn0 } = imports;
  const flags = INSTANCE_FLAGS.get(0);
  ${more.beside ?? ''}
  function call(arg0) {
    const hostProvided = false;
    getOrCreateAsyncState(0).throwIfTrapped();
    const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
      isAsync: false,
      isManualAsync: false,
    });
    task.setCalleeIsAsync(false);
    const started = task.enterSync();
    CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
    if (0!== null) {
      task.setReturnMemoryIdx(0);
    }
    return _withGlobalCurrentTaskMeta({
      taskID: task.id(),
      fn: () => {
        try {
          let ret;
          try {
            ret =  _withGlobalCurrentTaskMeta({ taskID: task.id(), fn: () => f(arg0) });
          } catch (err) {
            _debugLog('[Instruction::CallWasm]', { taskID: task.id() });
            getOrCreateAsyncState(0).markTrapped(err);
            task.setErrored(err);
            throw err;
          }
          ${more.inside ?? ''}
          task.resolve([ret]);
          let cstate = getOrCreateAsyncState(0);
          cstate.mayLeave = false;
          postReturn0(ret, flags);
          cstate.mayLeave = true;
          task.exit();
          return ret;
        } catch (err) {
          if (!task.isResolvedState()) {
            task.setErrored(err);
          }
          if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
          throw err;
        }
      },
    });
  }
  return { call, flags };
}`;

const { RuntimeError } = WebAssembly as unknown as {
  RuntimeError: new (message: string) => Error;
};

type Glue = { call(value: number): number; flags: { value: number } };
type Imports = { f(value: number): number; postReturn0(ret: number, flags: object): void };

/** The glue as a plugin process runs it. */
function run(source: string, imports: Imports): Glue {
  const script = plainExports(source).replace('export function', 'return function');
  const instantiate = new Function(script)() as (get: unknown, imports: Imports) => Glue;
  return instantiate(undefined, imports);
}

describe('plainExports()', () => {
  it('leaves the call, its result and what may not be left meanwhile, and no books', () => {
    const made = plainExports(glue());
    expect(made).not.toMatch(/\btask\b|AsyncTask|_withGlobal|createNew|CURRENT_TASK_MAY/);
    const during: unknown[] = [];
    const { call, flags } = run(glue(), {
      f: (value) => 2 * value,
      postReturn0: (ret, seen) => during.push(ret, { ...seen }),
    });
    expect(call(21)).toBe(42);
    expect(during).toEqual([42, { value: 0 }]);
    expect(flags.value).toBe(1);
  });

  it('lets nobody in behind a trap, and anybody behind another error', () => {
    let thrown: Error = new RangeError('no');
    const { call } = run(glue(), {
      f: () => {
        throw thrown;
      },
      postReturn0: () => {},
    });
    expect(() => call(1)).toThrow('no');
    thrown = new RuntimeError('unreachable');
    expect(() => call(1)).toThrow('unreachable');
    expect(() => call(1)).toThrow('cannot enter component instance');
  });

  it.each([
    ['an export that reads its task', { inside: 'record(task);' }],
    ['anything beside that makes a task', { beside: 'createNewCurrentTask({});' }],
    ['anything beside that asks the state', { beside: 'getOrCreateAsyncState(0).subtasks;' }],
  ])('keeps all books for %s', (_, more) => {
    const made = plainExports(glue(more));
    expect(made).toContain('class AsyncTask');
    expect(made).toContain('task.exit();');
    expect(made).toContain('new ComponentAsyncState()');
  });
});
