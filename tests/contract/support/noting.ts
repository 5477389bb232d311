import type { ChatModel } from '../../../src/contracts/model.ts';
import type { Served } from '../chat-model.contract.ts';

/** Written down as they come, so that a case sees what was asked. */
export function noting(model: ChatModel): Served {
  const requests: string[] = [];
  return {
    model: {
      ...model,
      stream: (asked, options) => {
        requests.push(JSON.stringify(asked));
        return model.stream(asked, options);
      },
    },
    lastRequest: () => requests.at(-1) ?? '',
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}
