import { runPlan } from '../../agent.ts';
import type { Events, PlanPorts } from '../../contracts/agent.ts';
import type { ChatModel, ModelRole } from '../../contracts/model.ts';
import { mapText, parseMap } from '../../contracts/output/parse-map.ts';
import type { Step } from '../../contracts/plan.ts';
import type { TalkBook } from '../../talk/talk-book.ts';
import type { ProjectWords } from '../../talk/talk-ports.ts';

const mapTool = 'search.map';
/** The most tokens of the map; the rest of a prompt is for findings. */
const maxTokens = 1500;
/** A model with a smaller context gets no map. */
const roomForMap = 16_000;

/**
 * What stands before a conversation: the words of the project, and for a model that chooses tools,
 * where searches have an index, the map of the workspace as data.
 *
 * @returns `project` as it is for a conversation that has begun, and where there is no map
 */
export async function* withMap(
  project: ProjectWords,
  talk: { plans: PlanPorts; role: ModelRole; model: ChatModel; book: TalkBook; isIndexed: boolean },
): Events<ProjectWords> {
  const { plans, model, book } = talk;
  const { nativeTools, promptTokens } = model.reach;
  const isWanted = talk.role === 'choose' && nativeTools && promptTokens >= roomForMap;
  if (!isWanted || !talk.isIndexed || book.turns.length > 0) return project;
  const step: Step = { id: 's0', tool: mapTool, input: {}, needs: [], effect: 'read' };
  // Not counted as a call of the model.
  const [result] = yield* runPlan([step], plans);
  const map = result?.output === undefined ? undefined : parseMap(result.output.content);
  if (map === undefined || map.files === 0) return project;
  let text = mapText(map);
  for (let tokens = model.countTokens(text); tokens > maxTokens; tokens = model.countTokens(text))
    text = mapText(map, Math.floor((text.length * maxTokens) / tokens) - 1);
  return { ...project, data: [...project.data, { source: mapTool, text }] };
}
