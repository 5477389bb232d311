import { promises } from '@jspm/core/nodelibs/stream';

export const { pipeline, finished } = promises;
export default promises;
