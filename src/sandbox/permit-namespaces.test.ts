import { describe, expect, it } from 'vitest';
import { permitNamespaces } from './permit-namespaces.ts';

describe('permitNamespaces', () => {
  it('names each setting that forbids them, with the value that permits them', () => {
    const values: Record<string, string> = {
      'user.max_user_namespaces': '0',
      'kernel.unprivileged_userns_clone': '1',
      'kernel.apparmor_restrict_unprivileged_userns': '1',
    };
    expect(permitNamespaces((name) => values[name])).toBe(
      'sudo sysctl -w user.max_user_namespaces=15000 kernel.apparmor_restrict_unprivileged_userns=0',
    );
  });

  it('speaks of the container where no setting forbids them', () => {
    expect(permitNamespaces(() => undefined)).toMatch(/^permit user namespaces in the container/);
  });
});
