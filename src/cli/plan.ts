import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { Plan } from '../contracts/plan.ts';
import type { PlanReasons } from '../kernel/ask/create-ask.ts';
import type { ScriptPlan } from '../kernel/run.ts';
import { openKernel } from './open-kernel.ts';
import { note, oneLine, print, printJson } from './output.ts';
import { readScript } from './run.ts';

const examples = `
Examples:
  cuervo plan "where are grants checked?"
  cuervo plan --mermaid "list the test files" > plan.mmd
  cuervo plan --json "what is left to do?"
  cuervo plan --why "count the words of README.md"
  cuervo plan --script rename.js '{"from":"a","to":"b"}'

Nothing is run: this is what ask would do without a model. Of a script the calls that only
read are made, up to the first call that would change something, which is not made.
`;

type Flags = {
  workspace?: string;
  json?: boolean;
  mermaid?: boolean;
  why?: boolean;
  script?: string;
};

export function addPlanCommand(program: Command): void {
  program
    .command('plan [question...]')
    .description('show the steps and capabilities that ask or a script would use')
    .option('-w, --workspace <dir>', 'the folder to work on')
    .option('--json', 'the plan event as one object')
    .option('--mermaid', 'the steps as a Mermaid flowchart')
    .option('--script <file>', 'the calls of a script; what stands behind it is its input')
    .option('--why', 'how the question was read, and which tools were thought of')
    .addHelpText('after', examples)
    .action(async (words: string[], flags: Flags) => {
      const { workspace } = flags;
      await using kernel = await openKernel(workspace === undefined ? {} : { workspace });
      const { script } = flags;
      if (script === undefined && words.length === 0) throw noQuestion();
      const ofScript =
        script === undefined
          ? undefined
          : await kernel.planScript(await readScript(script, words.join(' ') || undefined));
      const { steps, capabilities } = ofScript ?? (await kernel.plan(words.join(' ')));
      const plan = { steps, capabilities };
      if (flags.json) {
        printJson({ type: 'plan', ts: Date.now(), ...plan });
        return;
      }
      print(flags.mermaid ? mermaidOf(plan) : planText(plan));
      if (ofScript !== undefined) {
        note(endOf(ofScript));
        return;
      }
      const reasons = await kernel.planReasons(words.join(' '));
      const { tool, missing = [] } = reasons.chosen ?? {};
      if (flags.why) print(reasonsText(reasons));
      else if (missing.length > 0)
        note(`note: ${tool} fits, and the question does not say its ${missing.join(', ')}`);
    });
}

function endOf({ more, isWhole }: ScriptPlan): string {
  const reads = more === 0 ? '' : `${more} more reads are not listed; `;
  return isWhole
    ? `${reads}the script ends without a change`
    : `${reads}the last step was not made: what the script does behind it depends on it`;
}

function noQuestion(): KernelError {
  return new KernelError('invalid-argument', 'plan has no question', {
    hint: 'Write it behind the command, or name a script: cuervo plan --script FILE',
  });
}

function reasonsText({
  reading,
  others,
  tools,
  chosen,
  notChosen = 'none fits',
}: PlanReasons): string {
  const also = others.length === 0 ? '' : `; it could also be: ${others.join(', ')}`;
  return [
    'why',
    `  read as: ${reading}${also}`,
    ...tools.map(
      ({ tool, score, covered }) =>
        `  ${tool}  fits ${score.toFixed(2)}, speaks of ${Math.round(100 * covered)} % of the goal`,
    ),
    ...(chosen === undefined
      ? [`  no tool of an installed plugin was chosen: ${notChosen}`]
      : chosenLines(chosen)),
  ].join('\n');
}

function chosenLines({ tool, missing, ties }: NonNullable<PlanReasons['chosen']>): string[] {
  return [
    missing.length === 0
      ? `  ${tool} was chosen`
      : `  ${tool} would be chosen; the question does not say its ${missing.join(', ')}`,
    ...(ties.length === 0
      ? []
      : [`  ${ties.join(', ')} ${ties.length === 1 ? 'fits' : 'fit'} as well`]),
  ];
}

export function planText(plan: Plan): string {
  const steps = plan.steps.map((step) => {
    const after = step.needs.length > 0 ? `  after ${step.needs.join(', ')}` : '';
    return `${step.id}  ${step.tool} (${step.effect})${after}\n    ${oneLine(JSON.stringify(step.input))}`;
  });
  const uses = plan.capabilities.map(({ capability, detail, decision }) => {
    const name = detail === undefined ? capability : `${capability}:${detail}`;
    return `  ${name}: ${decision}`;
  });
  if (steps.length === 0) return 'nothing to run';
  return [...steps, 'uses', ...(uses.length > 0 ? uses : ['  nothing'])].join('\n');
}

function mermaidOf(plan: Plan): string {
  const nodes = plan.steps.map(
    (step) => `  ${step.id}["${step.id} ${step.tool} (${step.effect})"]`,
  );
  const edges = plan.steps.flatMap((step) => step.needs.map((need) => `  ${need} --> ${step.id}`));
  return ['flowchart TD', ...nodes, ...edges].join('\n');
}
