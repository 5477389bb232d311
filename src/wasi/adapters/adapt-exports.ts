import { parseExactJson } from '../../lib/text/parse-json.ts';
import { camelCase } from '../../lib/text/words.ts';
import type { Adapter, GuestTools } from '../../protocol/bindings.ts';
import { exportKey } from '../../protocol/call-names.ts';
import { readText } from '../../protocol/frame.ts';
import type { WasiImports } from '../create-wasi-imports.ts';
import { ExitError } from '../resource.ts';
import { callAct } from './call-act.ts';
import { type CallResult, callFunction } from './call-function.ts';
import { InputMismatch } from './guest-values.ts';
import {
  logOutput,
  runCommand,
  runProgramTool,
  unsavedError,
  withLastWords,
  withReason,
} from './run-command.ts';
import { afterStreams, isGuestError, settled, ToolFailure } from './settled.ts';

export type CopyBound = {
  /** An instance of a component is about to be made: what is added from now on belongs to it. */
  begin(): void;
  /** Starts the count again. */
  reset(): void;
  /** The imports of a core module; each call of one starts the count again. */
  watch(imports?: WebAssembly.Imports): WebAssembly.Imports;
  /** Called for every core instance: its functions call no host and are left as they are. */
  add(instance: WebAssembly.Instance): void;
};

type Fields = Record<string, unknown>;
type Given = Parameters<TextDecoder['decode']>;

/**
 * Glue copies texts and lists of numbers out of a guest's memory. Those of one list may all be the
 * same bytes: with a few megabytes a guest can name terabytes, which neither the maximum of its
 * memory nor the limit of the engine's heap bounds, because copies lie outside of both. So what is
 * copied for one crossing of the boundary is counted and refused before it is allocated.
 *
 * Changes `ArrayBuffer.prototype.slice` and `TextDecoder`, by which glue copies, and
 * `WebAssembly.Suspending`, by which it wraps imports; so once in a process.
 *
 * @param maxBytes copied between two resets
 */
export function boundCopies(maxBytes: number): CopyBound {
  let copied = 0;
  const count = (bytes: number): void => {
    copied += bytes;
    if (copied > maxBytes) {
      throw new ToolFailure('limit', `it hands over more than ${maxBytes} bytes at once`);
    }
  };
  const { slice } = ArrayBuffer.prototype;
  ArrayBuffer.prototype.slice = function (
    this: ArrayBuffer,
    begin = 0,
    end = this.byteLength,
  ): ArrayBuffer {
    count(Math.max(0, end - begin));
    return slice.call(this, begin, end);
  };
  globalThis.TextDecoder = class extends TextDecoder {
    readonly #isPlain: boolean;

    constructor(...given: ConstructorParameters<typeof TextDecoder>) {
      super(...given);
      this.#isPlain = given.length === 0;
    }

    override decode(input?: Given[0], options?: Given[1]): string {
      count(input?.byteLength ?? 0);
      // A quarter of the work, and a byte order mark, which belongs to the text, is not dropped.
      return this.#isPlain && options === undefined && input instanceof Uint8Array
        ? readText(input, 0, input.byteLength)
        : super.decode(input, options);
    }
  };

  // Functions of the instance that is being made: no other one is given them.
  let own = new Set<unknown>();
  const reset = (): void => {
    copied = 0;
  };
  // Only an asynchronous guest can still run when its call has ended and the next instance is made:
  // what it then asked for would be asked in the name of another call.
  const watched = (value: (...args: unknown[]) => unknown) => {
    const instance = own;
    return (...args: unknown[]): unknown => {
      if (instance !== own) throw new Error('the call that this instance was made for has ended');
      reset();
      return value(...args);
    };
  };
  WebAssembly.Suspending = new Proxy(WebAssembly.Suspending, {
    construct: (Suspending, [value]: Parameters<typeof watched>) => new Suspending(watched(value)),
  });
  const watchedFields = (fields: Fields): Fields => {
    let changed: Fields | undefined;
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (typeof value !== 'function' || own.has(value)) continue;
      // Copies have all properties of their own from the start, whatever they are called.
      changed ??= { ...fields };
      changed[name] = watched(value as (...args: unknown[]) => unknown);
    }
    return changed ?? fields;
  };
  return {
    begin: () => {
      own = new Set();
      reset();
    },
    reset,
    watch: (imports = {}) => {
      const result = { ...imports } as Record<string, Fields>;
      for (const module of Object.keys(result)) {
        result[module] = watchedFields(result[module] as Fields);
      }
      return result as WebAssembly.Imports;
    },
    add: ({ exports }) => {
      for (const name of Object.keys(exports)) {
        if (typeof exports[name] === 'function') own.add(exports[name]);
      }
    },
  };
}

/** How the export begins that makes a component a plugin; its version was judged at the install. */
const toolsExport = 'cuervo:plugin/tools@';

/** The common form of a plugin's own tools and of adapted exports. */
export type CallableTools = {
  /** null when the tools are known from the binary */
  describe(): unknown;
  /**
   * @param tool UTF-8, as the input
   * @param take given the content and then the summary, which are copied at once
   * @returns a promise where the function is asynchronous
   */
  call(
    tool: Uint8Array,
    input: Uint8Array,
    take: (text: Uint8Array) => void,
  ): undefined | Promise<undefined>;
};

type Exports = Readonly<Record<string, unknown>>;

/**
 * An instance as a set of tools: its own, or its functions by an adapter. Each call is one
 * session of WASI, where the component takes any of it, which ends with it whatever the guest did.
 *
 * @param exports what the glue's `instantiate` returned
 * @param options.adapter undefined for a component with tools of its own
 * @param options.log takes what a tool wrote to standard output and error
 * @param options.progress takes the parts of a result while they come
 * @param options.reading holds the streams that are read, of which dropping one ends it
 */
export function adaptExports(
  exports: Exports,
  options: {
    adapter: Adapter | undefined;
    wasi: WasiImports;
    maxResultBytes: number;
    log(level: 'info' | 'warn', text: string): void;
    progress(label: string, done: number, total?: number): void;
    reading: Set<Disposable>;
  },
): CallableTools {
  const { adapter, wasi } = options;
  if (adapter === undefined) {
    const name = Object.keys(exports).find((key) => key.startsWith(toolsExport)) ?? toolsExport;
    const tools = exports[name] as GuestTools;
    const call = inTexts((tool, input) => tools.call(tool, input));
    return {
      describe: () => tools.describe(),
      call: (tool, input, take) => inSession(options, () => call(tool, input, take)),
    };
  }
  return {
    describe: () => null,
    call: inTexts((tool, input) => {
      const binding = Object.hasOwn(adapter, tool) ? adapter[tool] : undefined;
      if (binding === undefined)
        throw new ToolFailure('invalid-input', `there is no tool "${tool}"`);
      try {
        const value = parseExactJson(input);
        if (binding.kind === 'function') {
          const run = functionOf(exports, binding);
          return inSession(options, () => callFunction(run, binding, value, options));
        }
        if (binding.kind === 'act') {
          const name = binding.tool === undefined ? 'list-tools' : 'call-tool';
          const run = functionOf(exports, { ...binding, name });
          return inSession(options, () => callAct(run, binding, value, options));
        }
        const run = functionOf(exports, { ...binding, name: 'run' });
        const { program } = binding;
        const { log, maxResultBytes: maxBytes } = options;
        return binding.kind === 'tool'
          ? runProgramTool(run, { tool, input }, { wasi, program, log })
          : runCommand(run, value, { wasi, program, maxBytes, log });
      } catch (thrown) {
        if (thrown instanceof InputMismatch) throw new ToolFailure('invalid-input', thrown.message);
        throw thrown;
      }
    }),
  };
}

/** A function that takes and returns strings. */
function inTexts(call: (tool: string, input: string) => CallResult): CallableTools['call'] {
  return (tool, input, take) => {
    const texts = [readText(tool, 0, tool.length), readText(input, 0, input.length)] as const;
    return settled(() => call(...texts), {
      value: ({ content, summary }) => {
        take(Buffer.from(content));
        take(Buffer.from(summary));
        return undefined;
      },
      error: (thrown) => {
        throw thrown;
      },
    });
  };
}

/** One call without standard input; its output goes to the log. */
function inSession<Value>(
  { wasi, log }: { wasi: WasiImports; log(level: 'info' | 'warn', text: string): void },
  run: () => Value | Promise<Value>,
): Value | Promise<Value> {
  if (wasi.isAbsent) return run();
  wasi.begin({ args: [], stdin: new Uint8Array() });
  const fail = (thrown: unknown): never => {
    // An error that the guest told is an end like another: what it wrote to files stays.
    const isFunctions = thrown instanceof ToolFailure && thrown.isTold;
    const told = isGuestError(thrown) || isFunctions;
    const exited = thrown instanceof ExitError;
    const outcome = told || exited ? wasi.finish() : wasi.discard();
    logOutput(log, 'info', outcome.stdout);
    logOutput(log, 'warn', outcome.stderr);
    const unsaved = unsavedError(outcome.lost);
    if (unsaved !== undefined) throw unsaved;
    if (exited)
      throw new ToolFailure('failed', `it ended itself with exit code ${thrown.exitCode}`);
    // Tools of its own say themselves what was denied; the error of a function is any value.
    if (told) throw isFunctions ? withReason(thrown, outcome) : thrown;
    throw thrown instanceof InputMismatch ? thrown : withLastWords(thrown, outcome);
  };
  const end = (value: Value): Value => {
    const { stdout, stderr, lost } = wasi.finish();
    if (stdout.length > 0) log('info', logText(stdout));
    if (stderr.length > 0) log('warn', logText(stderr));
    const unsaved = unsavedError(lost);
    if (unsaved !== undefined) throw unsaved;
    return value;
  };
  return settled(run, {
    value: (value) => afterStreams(wasi, () => end(value)),
    error: (thrown) => afterStreams(wasi, () => fail(thrown)),
  });
}

/** The limit of the log would drop a longer line as a whole. */
const maxLogText = 16_384;

function logText(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, maxLogText)).toString('utf8').trimEnd();
}

function functionOf(
  exports: Exports,
  { instance, name }: { instance?: string; name: string },
): (...args: unknown[]) => unknown {
  const from =
    instance === undefined ? exports : (exports[exportKey(instance)] as Exports | undefined);
  const key = instance === undefined ? exportKey(name) : camelCase(name);
  const found = from !== undefined && Object.hasOwn(from, key) ? from[key] : undefined;
  if (typeof found === 'function') return found as (...args: unknown[]) => unknown;
  throw new TypeError(`the component does not give the function ${name}`);
}
