import * as v from 'valibot';
import { effects, type JsonObject } from '../tool.ts';

export const effectSchema = v.picklist(effects);

/** Any JSON object: its values were JSON before they were checked. */
export const jsonObjectSchema = v.record(v.string(), v.unknown()) as v.GenericSchema<
  unknown,
  JsonObject
>;

/** One line of `cuervo tools --json`. */
export const toolSchema = v.object({
  name: v.pipe(v.string(), v.description('PLUGIN.TOOL')),
  plugin: v.string(),
  pluginVersion: v.string(),
  digest: v.pipe(v.string(), v.description("SHA-256 of the plugin's binary, hex")),
  effect: effectSchema,
  description: v.string(),
  inputSchema: v.pipe(jsonObjectSchema, v.description('JSON Schema 2020-12 of the input object')),
  outputSchema: v.exactOptional(
    v.pipe(jsonObjectSchema, v.description('JSON Schema of the content, where the tool has one')),
  ),
  examples: v.pipe(v.array(jsonObjectSchema), v.description('example inputs')),
});
