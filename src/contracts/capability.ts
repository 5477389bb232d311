import type { CapabilityName, GrantName } from './capabilities.ts';
import type { Effect, JsonObject } from './tool.ts';

/** What a plugin asks for in its manifest, in its author's words. */
export type Want = { capability: CapabilityName; why: string };

/**
 * A tool as a manifest tells it, of a binary that has no `describe()`: a program, or exported
 * functions, whose names it has.
 */
export type ManifestTool = {
  name: string;
  /** absent for a function: its own words, from its WIT or its types */
  description?: string;
  /** absent for a function: what the binary imports */
  effect?: Effect;
  /** JSON Schema of the input of a program; the types of a function say it themselves */
  input?: JsonObject;
  output?: JsonObject;
  examples?: readonly JsonObject[];
};

/** Section `cuervo:plugin` of a binary, written by `cuervo plugin build`. */
export type Manifest = {
  name: string;
  version: string;
  description: string;
  licence?: string;
  homepage?: string;
  wants: readonly Want[];
  limits?: ManifestLimits;
  /** absent where the binary has `describe()`, or where its exports say enough */
  tools?: readonly ManifestTool[];
};

/** Limits that a plugin asks to have higher; the person's configuration bounds them. */
export type ManifestLimits = {
  hostCalls?: number;
};

/**
 * One grant of a person: `fs:work`, `exec:git`, `http:https://example.org`, `kv`.
 * `detail` is the root, program, origin or host, absent where the capability has none.
 */
export type Grant = { capability: GrantName; detail?: string };
