import type { Plan } from '../../contracts/plan.ts';
import type { Tool } from '../../contracts/tool.ts';
import type { PluginHost } from '../../host/plugin-host.ts';

/** Starts the plugins of later steps while the first steps run. */
export function warmBuiltins({ steps }: Plan, tools: readonly Tool[], host: PluginHost): void {
  for (const step of steps) {
    const plugin = tools.find(({ name }) => name === step.tool)?.plugin ?? '';
    if (host.plugin(plugin)?.builtin === true) host.warm(plugin);
  }
}
