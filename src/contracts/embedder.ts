import type { Nearness } from './likeness.ts';

/** Turns texts into vectors whose dot products say how alike they are. */
export type Embedder = {
  /** what is kept beside the vectors it made: vectors of two embedders are not compared */
  readonly name: string;
  readonly dimensions: number;
  /** @returns of length 1; all zeros for a text without any word it knows */
  embed(text: string): Float32Array;
  /** The same for code: names are read as the words they are made of, signs are left out. */
  embedCode(text: string): Float32Array;
  /** How near a text comes to each of some words: the cosine of the piece that is nearest to it (MaxSim). */
  nearest(words: readonly string[]): Nearness;
  /** The same for code. */
  nearestInCode(words: readonly string[]): Nearness;
};
