import type { CapabilityName, GrantName } from './capabilities.ts';

/** What a plugin asks for in its manifest, in its author's words. */
export type Want = { capability: CapabilityName; why: string };

/** Section `cuervo:plugin` of a binary, written by the SDK. */
export type Manifest = {
  name: string;
  version: string;
  description: string;
  licence?: string;
  homepage?: string;
  wants: readonly Want[];
  limits?: ManifestLimits;
};

/** Limits that a plugin asks to have higher; the person's configuration bounds them. */
export type ManifestLimits = {
  /** host calls of one call */
  hostCalls?: number;
};

/**
 * One grant of a person: `fs:work`, `exec:git`, `http:https://example.org`, `kv`.
 * `detail` is the root, program, origin or host, absent where the capability has none.
 */
export type Grant = { capability: GrantName; detail?: string };
