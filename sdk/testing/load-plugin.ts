import { registerHooks } from 'node:module';
import type { Plugin } from '../define-plugin.ts';
import { serveTools } from '../guest/serve-tools.ts';
import { ToolError, type ToolErrorCode } from '../tool-error.ts';
import { type FakeHost, fakeHost } from './fake-host.ts';

/** A plugin in this process, over a fake of the host. For its cases in the real one: `plugin test`. */
export type TestedPlugin = {
  plugin: Plugin;
  host: FakeHost;
  /**
   * Checks the input and calls the tool.
   *
   * @throws {ToolError} with the case as `code`
   */
  call(tool: string, input?: object): Promise<{ content: unknown; summary: string }>;
};

/** Where the modules of the host find the fake that is in use. */
const key = '__cuervoFakeHost';
let isHooked = false;

/**
 * Loads the default export of `plugin.ts`. Its host calls go to the fake; the newest one that was
 * loaded counts.
 *
 * @param file as `new URL('./plugin.ts', import.meta.url)`
 */
export async function loadPlugin(
  file: URL | string,
  host: FakeHost = fakeHost(),
): Promise<TestedPlugin> {
  if (!isHooked) hook(host);
  isHooked = true;
  const use = (): void => {
    (globalThis as Record<string, unknown>)[key] = host.interfaces;
  };
  use();
  const { default: plugin } = (await import(String(file))) as { default: Plugin };
  const served = serveTools(plugin, []);
  return {
    plugin,
    host,
    call: async (tool, input = {}) => {
      use();
      try {
        const { content, summary } = await served.call(tool, JSON.stringify(input));
        return { content: parsed(content), summary };
      } catch (thrown) {
        const { tag, val } = thrown as { tag?: ToolErrorCode; val?: string };
        if (tag === undefined) throw thrown;
        throw new ToolError(tag, val ?? '');
      }
    },
  };
}

/** Modules of `cuervo:host` for this process: each function asks the fake in use. */
function hook(host: FakeHost): void {
  const prefix = 'cuervo:host/';
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith(prefix)
        ? {
            url: `data:text/javascript,${encodeURIComponent(sourceOf(specifier, host))}`,
            shortCircuit: true,
          }
        : next(specifier, context),
  });

  function sourceOf(specifier: string, { interfaces }: FakeHost): string {
    const name = specifier.slice(prefix.length).replace(/@.*$/, '');
    const calls = Object.keys(interfaces[name as keyof typeof interfaces] ?? {});
    // A call may have a name that no constant may have, as `delete`.
    const made = calls.map(
      (call, index) =>
        `const f${index} = (...args) => globalThis.${key}['${name}'].${call}(...args);`,
    );
    const named = calls.map((call, index) => `f${index} as ${call}`);
    return `${made.join('\n')}\nexport { ${named.join(', ')} };`;
  }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
