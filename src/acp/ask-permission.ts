import type {
  AgentContext,
  PermissionOption,
  RequestPermissionRequest,
  ToolCallContent,
} from '@agentclientprotocol/sdk';
import type { ConsentRequest } from '../contracts/consent.ts';
import { diffOf, type View } from './tool-calls.ts';

/** What each answer is called; a client may bind keys to the kinds. */
const options: Readonly<Record<string, PermissionOption>> = {
  once: { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  task: { optionId: 'task', name: 'Allow all of this task', kind: 'allow_once' },
  session: { optionId: 'session', name: 'Allow in this session', kind: 'allow_always' },
  no: { optionId: 'no', name: 'No', kind: 'reject_once' },
};

/**
 * Asks the person behind the client.
 *
 * @param ask.text the words of a terminal, as they may be shown
 * @returns the chosen answer; undefined where there was none
 */
export async function askPermission(
  client: Pick<AgentContext, 'request'>,
  ask: {
    session: string;
    call: string;
    text: string;
    answers: readonly string[];
    request: ConsentRequest;
    view: View;
    signal: AbortSignal;
  },
): Promise<string | undefined> {
  const { request, text, view, signal } = ask;
  const { shown } = view;
  const task = request.task ?? [];
  const all = task.length === 0 ? text : `${text}\nThis task: ${task.join('; ')}`;
  const params: RequestPermissionRequest = {
    sessionId: ask.session,
    options: ask.answers.flatMap((answer) => options[answer] ?? []),
    toolCall: {
      toolCallId: ask.call,
      title: shown(headlineOf(text)),
      content: [
        { type: 'content', content: { type: 'text', text: shown(all) } },
        ...diffsOf(request, view),
      ],
    },
  };
  try {
    const how = { cancellationSignal: signal, stopWaitingOnCancel: true };
    const { outcome } = await client.request('session/request_permission', params, how);
    return outcome.outcome === 'selected' ? outcome.optionId : undefined;
  } catch {
    // A client that is gone, or has no such request, has not answered.
    return undefined;
  }
}

function headlineOf(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  return line.replace(/^cuervo asks: /, '').slice(0, 200);
}

function diffsOf({ effect, covers = [] }: ConsentRequest, view: View): ToolCallContent[] {
  const effects = covers.length === 0 ? [effect] : covers.map((each) => each.effect);
  return effects.flatMap((each) => {
    if (each.capability !== 'fs-write') return [];
    const { change } = each;
    if (change.kind !== 'create' && change.kind !== 'write') return [];
    const path = change.path.replace(/^work:/, '');
    const before = change.before === undefined ? {} : { before: change.before };
    return [diffOf({ path, ...before, after: change.after }, view)];
  });
}
