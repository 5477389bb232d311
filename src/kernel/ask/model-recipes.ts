import type { Say } from '../../contracts/agent.ts';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import { skillTool } from '../../contracts/kernel-tools.ts';
import type { Store } from '../../contracts/store.ts';
import type { JsonObject, Tool, ToolOutput } from '../../contracts/tool.ts';
import { shortenText } from '../../lib/text/columns.ts';
import { agreeToSkill, allowedBySkill, isAgreed } from '../../skills/agree-to-skill.ts';
import { findSkills, skillNamed, skillPlaces } from '../../skills/find-skills.ts';
import type { Skill } from '../../skills/parse-skill.ts';

const maxListed = 24;
const maxDescription = 100;

export type ModelRecipes = {
  /** the tool that gives a recipe, with the list of recipes; empty if there are none */
  tools: Tool[];
  /** Gives the text of a recipe. From then on the model has only the tools that it allows. */
  use(input: JsonObject): Promise<ToolOutput>;
  /** a recipe that needs no agreement. @throws {KernelError} */
  known(name: string): Skill;
};

/**
 * Recipes that a model chooses by their descriptions. Words of a project stand among them only after
 * a person agreed to them.
 */
export function createModelRecipes(ports: {
  config: Config;
  store: Pick<Store, 'getSetting' | 'setSetting'>;
  askYesNo: Say['askYesNo'];
  signal: AbortSignal;
  narrow(leave: (tools: readonly Tool[]) => readonly Tool[]): void;
}): ModelRecipes {
  const { store } = ports;
  const places = skillPlaces(ports.config);
  const listed = findSkills(places)
    .flatMap(({ read, ...found }) => (read === undefined ? [] : [{ ...found, read }]))
    .filter((found) => found.source !== 'project' || isAgreed(found, store))
    .slice(0, maxListed)
    .map(({ name, read }) => `${name}: ${shortenText(read.skill.description, maxDescription)}`);
  return {
    tools:
      listed.length === 0
        ? []
        : [{ ...skillTool, description: [skillTool.description, ...listed].join('\n') }],
    use: async ({ name }) => {
      const found = skillNamed(String(name), places);
      await agreeToSkill(found, ports);
      const { skill } = found.read;
      ports.narrow((tools) => allowedBySkill(tools, skill.allowedTools));
      return { content: skill.body, summary: `the recipe ${skill.name}` };
    },
    known: (name) => {
      const found = skillNamed(name, places);
      if (found.source !== 'project' || isAgreed(found, store)) return found.read.skill;
      throw new KernelError(
        'permission-denied',
        `nobody agreed to the skill ${name} of this project`,
        { hint: `Use it at a terminal first: cuervo do ${name}` },
      );
    },
  };
}
