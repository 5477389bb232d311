import type { RunsUnderWay } from './runs-under-way.ts';

// biome-ignore lint/suspicious/noExplicitAny: the arguments are passed on as they are
type Method = (...args: any[]) => unknown;

/** Names of the methods that return no promise. */
type Immediate<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends Method
    ? ReturnType<Methods[Name]> extends PromiseLike<unknown>
      ? never
      : Name
    : never;
}[keyof Methods];

/**
 * The same commands for the life of a kernel. Its closing cancels those under way that were given a
 * signal, as `signal` of their last argument, and waits for all of them. A closed kernel refuses
 * them as `canceled`.
 *
 * @param immediate the methods that return no promise; they throw where the others reject
 */
export function untilClosed<Methods extends object>(
  runs: RunsUnderWay,
  methods: Methods,
  immediate: Record<Immediate<Methods>, true>,
): Methods {
  const wrapped: Record<string, Method> = {};
  for (const [name, method] of Object.entries(methods) as [string, Method][]) {
    wrapped[name] =
      name in immediate
        ? (...args) => {
            runs.refuseIfClosed();
            return method(...withClosing(args, runs.closing));
          }
        : (...args) => runs.finish(async () => await method(...withClosing(args, runs.closing)));
  }
  // Spread first: it also keeps what a symbol names.
  return { ...methods, ...wrapped };
}

function withClosing(args: unknown[], closing: AbortSignal): unknown[] {
  const { signal, ...rest } = Object(args.at(-1)) as { signal?: unknown };
  if (!(signal instanceof AbortSignal)) return args;
  return [...args.slice(0, -1), { ...rest, signal: AbortSignal.any([signal, closing]) }];
}
