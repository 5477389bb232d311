import type { InferOutput } from 'valibot';
import type { listedModelSchema } from '../output/parse-listed-model.ts';

/** A model that cuervo can be told to use, as far as is known without asking it. */
export type ListedModel = InferOutput<typeof listedModelSchema>;
