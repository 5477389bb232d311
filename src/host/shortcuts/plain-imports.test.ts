import { describe, expect, it } from 'vitest';
import { plainImports } from './plain-imports.ts';

/** A host call as the transpiler writes it. */
const glue = (more: { name?: string; kept?: string; lowered?: string } = {}): string => `
function instantiate(getCoreModule, imports) {
  const { read } = imports;
  let gen = (function* () {
    const _trampoline7 = function(arg0, arg1) {
      _debugLog('enter');
      const hostProvided = true;
      let parentTask;
      let task;
      let subtask;
      const createTask = () => {
        task = createNewCurrentTask({ entryFnName: 'read' })[0];
      };
      taskCreation: {
        parentTask = getCurrentTask(23);
        createTask();
        subtask = parentTask.getLatestSubtask();
        task.setParentSubtask(subtask);
      }
      const started = task.enterSync();
      let ret;
      try {
        ret = _withGlobalCurrentTaskMeta({
          componentIdx: task.componentIdx(),
          fn: () => _trackHostOperation(() => read(arg0)),
        });
      } catch (err) {
        task.setErrored(err);
        throw err;
      }
      memory.set(arg1, ret);
      ${more.kept ?? ''}
      task.resolve([ret]);
      task.exit();
    }
    _trampoline7.fnName = '${more.name ?? 'cuervo:host/fs@0.1.0#read'}';
    let trampoline7 = _trampoline7.manuallyAsync ? new WebAssembly.Suspending(_trampoline7) : _lowerImportBackwardsCompat.bind(
    null,
    {
      componentIdx: 23,
      isAsync: false,
      ${more.lowered ?? 'hasResultPointer: true,'}
      funcTypeIsAsync: false,
      importFn: _trampoline7,
    },
    );
    yield trampoline7;
  })();
  return gen.next().value;
}`;

describe('plainImports()', () => {
  it('leaves the call, its arguments and its error, and no books, each line where it was', () => {
    const made = plainImports(glue());
    expect(made).not.toMatch(/task|_debugLog|Lower/i);
    expect(made.split('\n')).toHaveLength(glue().split('\n').length);
    const memory = new Map();
    const left: number[] = [];
    const run = new Function('memory', '_checkMayLeave', `${made}\nreturn instantiate;`);
    const instantiate = run(memory, (index: number) => left.push(index));
    const read = (path: string): string => {
      if (path === '') throw new RangeError('no path');
      return `text of ${path}`;
    };
    const trampoline = instantiate(undefined, { read });
    expect(trampoline('a.txt', 8)).toBeUndefined();
    expect([...memory]).toEqual([[8, 'text of a.txt']]);
    expect(left).toEqual([23]);
    expect(() => trampoline('', 8)).toThrow(new RangeError('no path'));
  });

  it.each([
    ['another interface', { name: 'wasi:io/streams@0.2.0#read' }],
    ['a result that goes to the caller', { lowered: 'resultLowerFns: [_lowerFlatU64],' }],
    ['an asynchronous function', { lowered: 'hasResultPointer: true, isAsync: true,' }],
    ['books that are not known', { kept: 'keep(task);' }],
    [
      'two calls',
      { kept: '_withGlobalCurrentTaskMeta({ fn: () => _trackHostOperation(() => read(1)) });' },
    ],
  ])('leaves %s as it is', (_, more) => {
    const text = glue(more).replace(/isAsync: false,\n(\s*hasResultPointer: true, isAsync)/, '$1');
    expect(plainImports(text)).toBe(text);
  });

  it('changes nothing where nothing is imported', () => {
    const text = 'function instantiate() { return 1; }';
    expect(plainImports(text)).toBe(text);
  });
});
