import { insertIntoComponent } from '../../support/wat-plugin.ts';

/** A component with one more core module inside, whose memory is of this form. */
export const withMemory = (memory: string): Promise<string> =>
  insertIntoComponent(
    { name: 'memory-forms', call: '(call $ok-number (memory.size))' },
    `(core module $extra (memory ${memory})) (core instance (instantiate $extra))`,
  );
