import { HostError, tools } from '@cuervo/sdk';

type Call = { tool: string; input?: object };

/**
 * `tools` of a script: `tools.file.read({…})` is a call of `file.read`. Names of functions here
 * (`all`, `call`, `find`) hide plugins that are called so; `tools.call('all.x', {…})` reaches them.
 */
export function createToolFace(calls: { made: number }): object {
  const call = (name: string, input: object = {}): unknown => {
    calls.made += 1;
    return tools.call(name, input).content;
  };
  const own: Readonly<Record<string, unknown>> = {
    __proto__: null,
    call,
    find: (goal: string) =>
      tools.find(goal).map(({ inputSchema, ...tool }) => ({
        ...tool,
        inputSchema: JSON.parse(inputSchema),
      })),
    all: (list: readonly unknown[]): unknown[] => {
      const asked = Array.from(list, (each) => (isCall(each) ? each : undefined));
      const made = asked.flatMap((each) =>
        each === undefined ? [] : [{ name: each.tool, input: each.input ?? {} }],
      );
      calls.made += made.length;
      const outputs = tools.callAll(made);
      const failed = outputs.find((each) => each instanceof HostError);
      if (failed !== undefined) throw failed;
      // A result that is there already stays as it is.
      return asked.map((each, at) => {
        if (each === undefined) return list[at];
        const output = outputs.shift();
        return output instanceof HostError ? undefined : output?.content;
      });
    },
  };
  return namesOf((name) => own[name] ?? namesOf((tool) => toolOf(call, name, tool)));
}

/** An object that has every name but those that the language itself looks for. */
function namesOf(get: (name: string) => unknown): object {
  const refuse = (): never => {
    throw new TypeError('"tools" cannot be changed');
  };
  return new Proxy(Object.freeze(Object.create(null)), {
    get: (_, name) => (typeof name !== 'string' || isLanguages(name) ? undefined : get(name)),
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    setPrototypeOf: refuse,
  });
}

/** `await` asks for `then`, JSON for `toJSON`. */
function isLanguages(name: string): boolean {
  return /^(?:then|toJSON|toString|valueOf|constructor|__.*__)$/.test(name);
}

/** Names of tools have hyphens, which `findTodos` stands for where there is no tool of that name. */
function toolOf(call: (name: string, input?: object) => unknown, plugin: string, tool: string) {
  return (input?: object): unknown => {
    const name = `${plugin}.${tool}`;
    try {
      return call(name, input);
    } catch (thrown) {
      const hyphened = tool.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const isMissing =
        thrown instanceof HostError && thrown.message.startsWith(`there is no tool "${name}"`);
      if (hyphened === tool || !isMissing) throw thrown;
      return call(`${plugin}.${hyphened}`, input);
    }
  };
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && typeof (value as Call).tool === 'string';
}
