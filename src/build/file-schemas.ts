import { toJsonSchema } from '@valibot/to-json-schema';
import { pluginTomlSchema } from '../../sdk/languages/parse-plugin-toml.ts';
import { configSchema } from '../config/parse-config.ts';

/** The JSON Schema of `plugin.toml`, for editors and for whoever writes one by hand. */
export function pluginTomlJson(): string {
  return schemaText(
    'plugin.toml',
    'What a plugin of cuervo is that has no definePlugin: docs/languages.md',
    pluginTomlSchema,
  );
}

/** The JSON Schema of `config.toml`, for editors. */
export function configTomlJson(): string {
  return schemaText('config.toml', 'Settings of cuervo: docs/configuration.md', configSchema);
}

function schemaText(
  title: string,
  description: string,
  of: Parameters<typeof toJsonSchema>[0],
): string {
  const schema = toJsonSchema(of, { errorMode: 'ignore', typeMode: 'input' });
  return `${JSON.stringify({ title, description, ...schema }, null, 2)}\n`;
}
