import type { Bench } from '../bench-context.ts';
export const searchBenches: readonly Bench[] = [];
