import type { Tool as WitTool } from 'cuervo:plugin/tools@0.1.0';
import type { Plugin } from '../define-plugin.ts';

/** Content of the custom section `cuervo:plugin`, as JSON. */
export type Manifest = Omit<Plugin, 'tools'>;

export type PluginDescription = { manifest: Manifest; tools: WitTool[] };
