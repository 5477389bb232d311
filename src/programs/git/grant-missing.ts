import type { GitQuestion } from '../../contracts/authority.ts';
import type { Grant } from '../../contracts/capability.ts';
import { ServiceError } from '../../contracts/host-service.ts';

/** A git was not run because it needs a grant of its own, which a person may be asked for. */
export class GrantMissing extends ServiceError {
  readonly grant: Grant;
  readonly asks: GitQuestion;

  constructor(
    reason: string,
    { grant, asks, hint = '' }: { grant: Grant; asks: GitQuestion; hint?: string },
  ) {
    const text = `${grant.capability}:${grant.detail}`;
    const typed = /^[\w./:@+-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
    super(
      'denied',
      reason,
      '',
      `${hint}Allow it here with: cuervo plugin grant git ${typed} --project, or for one run with --allow ${typed}`,
    );
    this.grant = grant;
    this.asks = asks;
  }
}
