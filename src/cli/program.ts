import { Command } from 'commander';
import { programPaths, programVersion } from '../config/paths.ts';
import { addAcpCommand } from './acp.ts';
import { addAddCommand, addRemoveCommand } from './add.ts';
import { addApplyCommand } from './apply.ts';
import { addAskCommand } from './ask.ts';
import { addAuditCommand } from './audit.ts';
import { addChatCommand } from './chat.ts';
import { addCommands } from './command-families.ts';
import { addCompletionCommand } from './completion.ts';
import { addConfigCommand } from './config.ts';
import { addDoCommand } from './do.ts';
import { addDoctorCommand } from './doctor.ts';
import { addExplainCommand } from './explain.ts';
import { addFleetCommand } from './fleet.ts';
import { addIndexCommand } from './index-workspace.ts';
import { addInitCommand } from './init.ts';
import { addJobsCommand, addSchedulerCommand } from './jobs.ts';
import { addMapCommand } from './map.ts';
import { addMcpCommand } from './mcp.ts';
import { addMemoryCommand } from './memory.ts';
import { addModelCommand } from './model.ts';
import { setQuiet } from './output.ts';
import { addPlanCommand } from './plan.ts';
import { addPluginCommand } from './plugin.ts';
import { addPolicyCommand } from './policy.ts';
import { addRunCommand, addScriptCommand } from './run.ts';
import { addRunsCommand } from './runs.ts';
import { addSecretCommand } from './secret.ts';
import { addSessionCommand } from './session.ts';
import { addSkillCommand } from './skill.ts';
import { addStatsCommand } from './stats.ts';
import { setColor } from './style.ts';
import { addToolsCommand } from './tools.ts';
import { addUiCommand } from './ui.ts';
import { addUndoCommand } from './undo.ts';
import { addWorkerCommand } from './worker.ts';

const examples = `
Examples:
  cuervo ask "where is the retry limit set?"     an answer with the lines that show it
  cuervo plan "list the test files"              what it would do, without doing it
  cuervo run search.grep pattern=TODO            one tool
  cuervo plugin inspect tool.wasm                what a binary can do, before it can do it

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not granted, 4 nothing found, 5 limit or
time, 6 refused plugin, 7 no model or provider, 8 conflict, 130 interrupted.
`;

/** In the order of the help. */
const commands: Readonly<Record<string, (program: Command, next?: string) => unknown>> = {
  ask: addAskCommand,
  chat: addChatCommand,
  do: addDoCommand,
  plan: addPlanCommand,
  run: addRunCommand,
  script: addScriptCommand,
  tools: addToolsCommand,
  plugin: addPluginCommand,
  skill: addSkillCommand,
  secret: addSecretCommand,
  policy: addPolicyCommand,
  memory: addMemoryCommand,
  mcp: addMcpCommand,
  acp: addAcpCommand,
  index: addIndexCommand,
  map: addMapCommand,
  session: addSessionCommand,
  undo: addUndoCommand,
  runs: addRunsCommand,
  explain: addExplainCommand,
  stats: addStatsCommand,
  audit: addAuditCommand,
  ui: addUiCommand,
  jobs: addJobsCommand,
  scheduler: addSchedulerCommand,
  apply: addApplyCommand,
  fleet: addFleetCommand,
  worker: addWorkerCommand,
  model: addModelCommand,
  init: addInitCommand,
  config: addConfigCommand,
  doctor: addDoctorCommand,
  add: addAddCommand,
  remove: addRemoveCommand,
  completion: addCompletionCommand,
};

/**
 * The command line, not yet parsed.
 *
 * @param words of the command line: commands that are not named are not made. Without words all are
 */
export function createProgram([word, next]: readonly string[] = []): Command {
  const program = new Command('cuervo')
    .description('A local-first agent whose every tool is a WebAssembly component.')
    .version(programVersion(programPaths()), '-V, --version')
    .option('--color <when>', 'auto, always or never (default: auto, and never with NO_COLOR)')
    .option('-q, --quiet', 'no notes, no progress and no log on standard error')
    .addHelpText('after', examples)
    .showSuggestionAfterError(true)
    .configureOutput({ writeErr: () => {} })
    .exitOverride()
    .hook('preAction', (self, command) => {
      const { color, quiet } = self.opts<{ color?: string; quiet?: boolean }>();
      if (color !== undefined) setColor(color);
      if (quiet !== true) return;
      setQuiet();
      command.setOptionValue('quiet', true);
    });
  // That of completion tells the others.
  addCommands(program, commands, word === 'completion' ? undefined : word, next);
  return program;
}
