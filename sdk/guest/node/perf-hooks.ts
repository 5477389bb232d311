import { performance } from '../globals/performance.ts';

export { performance };
export default { performance };
