import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PlanEntry, PlanEntryStatus, SessionUpdate } from '@agentclientprotocol/sdk';
import type { EventOf, RunEvent } from '../contracts/events.ts';
import type { Kernel } from '../kernel.ts';
import { escapeTerminal } from '../lib/text/escape.ts';
import { parseContent } from '../lib/text/parse-json.ts';
import { createShownWords } from './shown-words.ts';
import {
  diffOf,
  kindOf,
  locationsOf,
  type ShownStep,
  shownInput,
  titleOf,
  type View,
} from './tool-calls.ts';

/** Places that are linked below an answer. */
const maxLinks = 8;
const maxEntries = 100;

export type RunTeller = {
  tell(event: RunEvent): Promise<void>;
  /** What was not sent yet. */
  end(): Promise<void>;
  /** Words of our own behind it. */
  say(text: string): Promise<void>;
  /** the id of the call that runs a tool now, or will */
  callOf(tool: string | undefined): string | undefined;
};

type TrackedStep = ShownStep & { status: PlanEntryStatus };

function planEntries(
  planned: readonly string[],
  steps: ReadonlyMap<string, TrackedStep>,
  shown: (text: string) => string,
): PlanEntry[] {
  return planned.slice(0, maxEntries).flatMap((id) => {
    const step = steps.get(id);
    if (step === undefined) return [];
    return [{ content: titleOf(step, shown), priority: 'medium', status: step.status }];
  });
}

/** Tells the events of one run as updates of its session. */
export function createRunTeller(ports: {
  kernel: Kernel;
  view: View;
  send(update: SessionUpdate): Promise<void>;
}): RunTeller {
  const { kernel, send, view } = ports;
  const { workspace } = view;
  const shown = (text: string): string => escapeTerminal(view.shown(text));
  const say = (text: string): Promise<void> =>
    send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const words = createShownWords(shown, say);
  const steps = new Map<string, TrackedStep>();
  /** steps of the last plan, in its order */
  let planned: string[] = [];
  /** what a file held after the last change that was told */
  const toldAfter = new Map<string, Uint8Array | undefined>();
  let run = '';
  let lastPlan = '';

  const idOf = (step: string): string => `${run}:${step}`;

  const tellPlan = async (): Promise<void> => {
    if (planned.length < 2) return;
    const entries = planEntries(planned, steps, shown);
    const text = JSON.stringify(entries);
    if (text === lastPlan) return;
    lastPlan = text;
    await send({ sessionUpdate: 'plan', entries });
  };

  const newCall = async (id: string, step: ShownStep): Promise<void> => {
    const locations = locationsOf(step, workspace);
    await send({
      sessionUpdate: 'tool_call',
      toolCallId: idOf(id),
      title: titleOf(step, shown),
      kind: kindOf(step),
      status: 'pending',
      ...(locations.length === 0 ? {} : { locations }),
      rawInput: shownInput(step, view.shown),
    });
  };

  /** What the run changed since this was asked last. */
  const changes = async () => {
    const diffs = await kernel.undo.diff(run).catch(() => []);
    return diffs.flatMap(({ path, before, after, isAfterLost, isBeforeLost }) => {
      if (isAfterLost || isBeforeLost) return [];
      const isTold = toldAfter.has(path);
      const was = isTold ? toldAfter.get(path) : before;
      if (isTold && isSame(was, after)) return [];
      toldAfter.set(path, after);
      const bytes = { ...(was && { before: was }), ...(after && { after }) };
      return [diffOf({ path, ...bytes }, { ...view, shown })];
    });
  };

  const finish = async (event: EventOf<'step-finished'>): Promise<void> => {
    const step = steps.get(event.step);
    if (step === undefined) return;
    step.status = 'completed';
    const { status, summary, error } = event;
    const mayChange = step.effect === 'write' || step.effect === 'external';
    const diffs = mayChange ? await changes() : [];
    const reason = error === undefined ? summary : [error.message, error.hint].join('\n');
    const text = shown(reason);
    await send({
      sessionUpdate: 'tool_call_update',
      toolCallId: idOf(event.step),
      status: status === 'ok' ? 'completed' : 'failed',
      content: [
        ...(text.trim() === ''
          ? []
          : [{ type: 'content' as const, content: { type: 'text' as const, text } }]),
        ...diffs,
      ],
    });
    await tellPlan();
  };

  const links = async ({ evidence }: EventOf<'answer'>): Promise<void> => {
    // What a person attached may have no file.
    const ofFiles = evidence.filter(({ path }) => !/^(?:[a-z][\w+.-]*:|!)/i.test(path));
    for (const { path, line, endLine } of ofFiles.slice(0, maxLinks)) {
      const lines = endLine > line ? `L${line}:${endLine}` : `L${line}`;
      const uri = `${pathToFileURL(join(workspace, path)).href}#${lines}`;
      const name = shown(`${path}:${line}`);
      await send({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'resource_link', name, uri },
      });
    }
  };

  return {
    tell: async (event) => {
      if (event.run !== undefined) run = event.run;
      switch (event.type) {
        case 'plan': {
          planned = event.steps.map(({ id }) => id);
          for (const { id, tool, effect, input } of event.steps) {
            steps.set(id, { tool, effect, input, status: 'pending' });
            await newCall(id, { tool, effect, input });
          }
          await tellPlan();
          return;
        }
        case 'step-started': {
          const known = steps.get(event.step);
          // A call that a tool makes of another one is in no plan.
          const step = known ?? { tool: event.tool, effect: 'external' as const, input: {} };
          if (known === undefined) await newCall(event.step, step);
          steps.set(event.step, { ...step, status: 'in_progress' });
          await send({
            sessionUpdate: 'tool_call_update',
            toolCallId: idOf(event.step),
            status: 'in_progress',
          });
          await tellPlan();
          return;
        }
        case 'step-finished':
          await finish(event);
          return;
        case 'text':
          // What was sent stays on the screen: the words that count come behind it.
          await words.add(event.replaces === true ? `\n\n${event.delta}` : event.delta);
          return;
        case 'answer':
          await words.end();
          await links(event);
          return;
        case 'result':
          await words.end();
          await say(shown(resultText(event.content)));
          return;
        default:
          return;
      }
    },
    end: () => words.end(),
    say: (text) => say(shown(text)),
    callOf: (tool) => {
      const open = [...steps].filter(([, step]) => step.status !== 'completed');
      const found = open.find(([, step]) => step.tool === tool) ?? open[0];
      return found === undefined ? undefined : idOf(found[0]);
    },
  };
}

/** A patch as one, anything else as the tool gave it. */
function resultText(content: string): string {
  const value = parseContent(content);
  const { patch } = Object(value) as { patch?: unknown };
  if (typeof patch === 'string') return patch === '' ? 'nothing changed' : fenced('diff', patch);
  return typeof value === 'string' ? value : fenced('json', content);
}

function fenced(kind: string, text: string): string {
  return `\`\`\`\`${kind}\n${text.trimEnd()}\n\`\`\`\`\n`;
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Buffer.compare(one, other) === 0;
}
