import * as v from 'valibot';

/** One line of `cuervo doctor --json`. */
export const findingSchema = v.object({
  name: v.pipe(v.string(), v.description('what was looked at')),
  status: v.picklist(['ok', 'warn', 'fail']),
  finding: v.string(),
  fix: v.exactOptional(v.pipe(v.string(), v.description('the command that fixes it'))),
});
export type Finding = v.InferOutput<typeof findingSchema>;

const bytes = (text: string) => v.exactOptional(v.pipe(v.number(), v.description(text)));

/** One line of `cuervo add --list --json`, and what `cuervo add PART --json` prints. */
export const listedPartSchema = v.object({
  name: v.picklist(['sentence', 'documents', 'build', 'gpu', 'musl', 'node']),
  about: v.string(),
  state: v.pipe(
    v.picklist(['added', 'clone', 'other', 'absent', 'refused']),
    v.description(
      'clone: in the node_modules of a clone; other: of another version of cuervo; refused: none for this system',
    ),
  ),
  reason: v.exactOptional(v.pipe(v.string(), v.description('why there is none here'))),
  downloadBytes: bytes('what is fetched'),
  bytes: bytes('what it takes on the disk'),
});
export type ListedPart = v.InferOutput<typeof listedPartSchema>;

const decision = v.picklist(['allow', 'ask', 'deny']);

/** `cuervo policy test --json`. */
export const testedCommandSchema = v.object({
  command: v.string(),
  decision,
  rule: v.pipe(v.string(), v.description('that decides; default when none does')),
  reason: v.string(),
  cannotRun: v.exactOptional(
    v.pipe(v.string(), v.description('why no program of it can run here; absent where it can')),
  ),
});
export type TestedCommand = v.InferOutput<typeof testedCommandSchema>;

/** What `cuervo config get --json` prints, and one line of `config list --json`. */
export const settingSchema = v.object({
  key: v.string(),
  takes: v.exactOptional(v.pipe(v.string(), v.description('of `--all`: the values that it takes'))),
  value: v.exactOptional(
    v.pipe(v.unknown(), v.description('in config.toml; absent where it does not say')),
  ),
});
export type Setting = v.InferOutput<typeof settingSchema>;

/** One line of `cuervo skill list --json`. */
export const listedSkillSchema = v.object({
  name: v.string(),
  source: v.picklist(['shipped', 'yours', 'project']),
  folder: v.string(),
  description: v.exactOptional(v.string()),
  fault: v.exactOptional(v.pipe(v.string(), v.description('why it is not used'))),
});
export type ListedSkill = v.InferOutput<typeof listedSkillSchema>;

/** One line of `cuervo policy rules --json`. */
export const listedRuleSchema = v.object({
  name: v.string(),
  source: v.picklist(['shipped', 'user']),
  decision,
  programs: v.array(v.string()),
  reason: v.string(),
  set: v.exactOptional(v.string()),
});
export type ListedRule = v.InferOutput<typeof listedRuleSchema>;

/** One line of every `npm run bench… -- --json`. */
export const benchLineSchema = v.object({
  name: v.string(),
  value: v.pipe(
    v.nullable(v.number()),
    v.description('median; null when it could not be measured, and note says why'),
  ),
  unit: v.string(),
  runs: v.pipe(v.number(), v.minValue(0), v.description('samples behind the value')),
  peer: v.exactOptional(
    v.pipe(v.string(), v.description('what it was measured beside, in the same run')),
  ),
  peerValue: v.exactOptional(v.number()),
  ratio: v.exactOptional(v.pipe(v.number(), v.description('value / peerValue'))),
  reach: v.pipe(v.string(), v.description('the bound, or "reported"')),
  ok: v.boolean(),
  note: v.exactOptional(v.string()),
});
