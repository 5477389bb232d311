import { describe, expect, it } from 'vitest';
import { launchdPlist, systemdUnit } from './service-unit.ts';

const plain = { command: ['/usr/bin/node', '/opt/cuervo.cjs'], home: '/home/a/.cuervo' };
const odd = { command: ['/opt/my "node" 100%', '/opt/$x<&>.cjs'], home: '/home/a $b' };

describe('systemdUnit()', () => {
  it('starts the scheduler with its home', () => {
    const lines = systemdUnit(plain).split('\n');
    expect(lines).toContain('ExecStart=/usr/bin/node /opt/cuervo.cjs scheduler run --quiet');
    expect(lines).toContain('Environment=CUERVO_HOME=/home/a/.cuervo');
  });

  it('quotes what systemd would read as something else', () => {
    const lines = systemdUnit(odd).split('\n');
    expect(lines).toContain(
      'ExecStart="/opt/my \\"node\\" 100%%" "/opt/$$x<&>.cjs" scheduler run --quiet',
    );
    expect(lines).toContain('Environment="CUERVO_HOME=/home/a $b"');
  });
});

describe('launchdPlist()', () => {
  it('starts the scheduler with its home, as XML', () => {
    expect(launchdPlist(plain)).toContain(
      '<string>/opt/cuervo.cjs</string>\n    <string>scheduler',
    );
    expect(launchdPlist(odd)).toContain('<string>/opt/$x&lt;&amp;&gt;.cjs</string>');
    expect(launchdPlist(odd)).toContain('<key>CUERVO_HOME</key>\n    <string>/home/a $b</string>');
  });
});
