import type { Command } from 'commander';
import {
  type ConfigChange,
  checkKey,
  configPath,
  configValues,
  readConfigText,
  replaceConfig,
  setConfig,
  valueText,
} from '../config/change-config.ts';
import { checkHome } from '../config/check-home.ts';
import { findHome } from '../config/load-config.ts';
import { configKeys } from '../config/parse-config.ts';
import { KernelError } from '../contracts/error.ts';
import type { Setting } from '../contracts/output/parse-setup.ts';
import { openHome } from '../kernel/open-home.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import { addFamilyExamples } from './command-families.ts';
import { note, oneLine, printEach, printOne } from './output.ts';
import { showDiffs } from './show-diffs.ts';
import { editText } from './start-program.ts';

const examples = `
Examples:
  cuervo config list                             what your config.toml says
  cuervo config list --all                       every key, with what it takes
  cuervo config get budget.usd
  cuervo config set limits.call-timeout-ms 60000
  cuervo config set privacy.send '["ipv4"]'
  cuervo config unset privacy.send               back to the default
  cuervo config edit                             in VISUAL or EDITOR

Comments and order stay. What was there before a change lies in config.toml.bak.
`;

export function addConfigCommand(program: Command): void {
  const config = program.command('config').description('read and change config.toml');
  addFamilyExamples(config, examples);
  config
    .command('list')
    .description('what config.toml says')
    .option('--all', 'every key that there is, with the values that it takes')
    .option('--json', 'one object a line')
    .action(list);
  config
    .command('get <key>')
    .description('show the value of a key')
    .option('--json', 'the key and its value as one object')
    .action((key: string, flags: { json?: boolean }) => {
      checkKey(key);
      const value = configValues(ownHome()).get(key);
      const setting: Setting = { key, ...(value === undefined ? {} : { value }) };
      if (value === undefined && !flags.json) {
        throw new KernelError(
          'not-found',
          `config.toml does not say ${key}, so the default holds`,
          {
            hint: `Set it with: cuervo config set ${key} VALUE`,
          },
        );
      }
      printOne(setting, flags, () => plainText(value));
    });
  config
    .command('set <key> <value>')
    .description('change one key, and show the difference')
    .action(async (key: string, value: string) => await change(key, value));
  config
    .command('unset <key>')
    .description('take a key out, so that its default holds')
    .action(async (key: string) => await change(key, undefined));
  config
    .command('edit')
    .description('change config.toml in your editor; a wrong text is not taken')
    .action(edit);
}

function list(flags: { all?: boolean; json?: boolean }): void {
  const values = configValues(ownHome());
  const kinds = new Map(configKeys().map(({ key, takes }) => [key, takes]));
  const keys = flags.all ? [...new Set([...kinds.keys(), ...values.keys()])] : [...values.keys()];
  const settings = keys.map((key): Setting => {
    const takes = flags.all ? kinds.get(key) : undefined;
    return {
      key,
      ...(takes === undefined ? {} : { takes }),
      ...(values.has(key) ? { value: values.get(key) } : {}),
    };
  });
  printEach(
    settings,
    flags,
    ({ key, takes, value }) => {
      const said = value === undefined ? '' : ` = ${valueText(value)}`;
      return oneLine(`${key}${said}${takes === undefined ? '' : `  (${takes})`}`);
    },
    'config.toml says nothing; see every key with: cuervo config list --all',
  );
}

async function change(key: string, value: string | undefined): Promise<void> {
  const home = ownHome();
  openHome(home);
  await tell(setConfig(home, key, value));
}

async function edit(): Promise<void> {
  if (process.stdin.isTTY !== true) {
    throw new KernelError('invalid-argument', 'there is no terminal for an editor', {
      hint: 'Change one key with: cuervo config set KEY VALUE',
    });
  }
  const home = ownHome();
  openHome(home);
  const before = readConfigText(home);
  const edited = await editText(Buffer.from(before), configPath(home));
  if ('failure' in edited) throw new KernelError('unavailable', edited.failure);
  const after = Buffer.from(edited.text).toString('utf8');
  try {
    await tell(replaceConfig(home, before, after));
  } catch (thrown) {
    const kept = `${configPath(home)}.edited`;
    writeFileWhole(kept, after);
    note(`config.toml stays as it was; your text is kept in ${kept}`);
    throw thrown;
  }
}

/** @throws {KernelError} `invalid-argument` where others may change it */
function ownHome(): string {
  const home = findHome(undefined, process.env);
  checkHome(home);
  return home;
}

async function tell(changed: ConfigChange | undefined): Promise<void> {
  if (changed === undefined) {
    note('nothing is changed');
    return;
  }
  const [before, after] = [changed.before, changed.after].map((text) => Buffer.from(text));
  await showDiffs([{ path: 'config.toml', before, after }], 'stdout');
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : valueText(value);
}
