import type { Tool as WitTool } from 'cuervo:plugin/tools@0.1.0';
import type { Want } from '../define-plugin.ts';

/** Content of the custom section `cuervo:plugin`, as JSON. */
export type Manifest = {
  name: string;
  version: string;
  description: string;
  licence?: string;
  homepage?: string;
  wants: readonly Want[];
};

export type PluginDescription = { manifest: Manifest; tools: WitTool[] };
