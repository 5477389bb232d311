import type { ModelEvent } from '../../contracts/model.ts';
import { faultOf } from '../../contracts/talk.ts';

/** Statuses of requests that are refused for what is in them. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 404, 415, 422, 500, 501]);

/** Fields that a request can do without, by name, each with an expression for its refusal. */
export type OptionalFields = Readonly<Record<string, RegExp>>;

/**
 * Sends a request, and sends it again without an optional field that the server refuses: each
 * field once, and from then on never.
 *
 * @param options.refused fields that the server is known to refuse; those that it refuses now are
 *   added
 * @param options.attempt sends the request without these
 * @param options.sent whether a field was in the last request
 */
export async function* withoutRefused(options: {
  fields: OptionalFields;
  refused: Set<string>;
  attempt(): AsyncGenerator<ModelEvent, void, undefined>;
  sent(field: string): boolean;
  onRefused: ((field: string) => void) | undefined;
}): AsyncGenerator<ModelEvent, void, undefined> {
  const { fields, refused, attempt, sent, onRefused } = options;
  for (;;) {
    let began = false;
    try {
      for await (const event of attempt()) {
        began = true;
        yield event;
      }
      return;
    } catch (thrown) {
      const field = began ? undefined : fieldOf(thrown);
      if (field === undefined) throw thrown;
      refused.add(field);
      onRefused?.(field);
    }
  }

  /** The first that the reason names. */
  function fieldOf(thrown: unknown): string | undefined {
    const fault = faultOf(thrown);
    const mayBe = fault?.kind !== 'overflow' && refusals.has(fault?.status);
    const reason = thrown instanceof Error ? thrown.message : '';
    const named = Object.entries(fields).flatMap(([field, form]) => {
      const at = mayBe && !refused.has(field) && sent(field) ? reason.search(form) : -1;
      return at < 0 ? [] : [{ field, at }];
    });
    const [first] = named.sort((a, b) => a.at - b.at);
    return first?.field ?? (fault?.kind === 'no-tools' && sent('tools') ? 'tools' : undefined);
  }
}
