import { toJsonSchema } from '@valibot/to-json-schema';
import { pluginTomlSchema } from '../../sdk/languages/parse-plugin-toml.ts';

/** The JSON Schema of `plugin.toml`, for editors and for whoever writes one by hand. */
export function pluginTomlJson(): string {
  const schema = toJsonSchema(pluginTomlSchema, { errorMode: 'ignore', typeMode: 'input' });
  const title = 'plugin.toml';
  const description = 'What a plugin of cuervo is that has no definePlugin: docs/languages.md';
  return `${JSON.stringify({ title, description, ...schema }, null, 2)}\n`;
}
