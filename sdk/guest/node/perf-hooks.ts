import { performance } from '../performance.ts';

export { performance };
export default { performance };
