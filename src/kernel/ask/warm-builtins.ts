import type { Plan } from '../../contracts/plan.ts';
import type { Tool } from '../../contracts/tool.ts';
import type { PluginHost } from '../../host/plugin-host.ts';

/** What later steps call starts while the first ones run. */
export function warmBuiltins({ steps }: Plan, tools: readonly Tool[], host: PluginHost): void {
  for (const step of steps) {
    const plugin = tools.find(({ name }) => name === step.tool)?.plugin ?? '';
    if (host.plugin(plugin)?.builtin === true) host.warm(plugin);
  }
}
