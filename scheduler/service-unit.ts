/** How a service manager starts the scheduler. */
export type ServiceCommand = {
  /** absolute path of the program, with what comes before its arguments */
  command: readonly string[];
  /** `CUERVO_HOME`, absolute */
  home: string;
};

/** A user unit of systemd: `~/.config/systemd/user/cuervo-scheduler.service`. */
export function systemdUnit({ command, home }: ServiceCommand): string {
  const [program = '', ...words] = [...command, 'scheduler', 'run', '--quiet'];
  // a dollar is a variable in the arguments alone
  const doubled = words.map((word) => word.replaceAll('$', '$$$$'));
  const start = [program, ...doubled].map(systemdWord).join(' ');
  return `[Unit]
Description=Jobs of cuervo

[Service]
ExecStart=${start}
Environment=${systemdWord(`CUERVO_HOME=${home}`)}
Restart=on-failure
RestartSec=60
Nice=10

[Install]
WantedBy=default.target
`;
}

/** A launch agent of macOS: `~/Library/LaunchAgents/cuervo.scheduler.plist`. */
export function launchdPlist({ command, home }: ServiceCommand): string {
  const words = [...command, 'scheduler', 'run', '--quiet'];
  const list = words.map((word) => `    <string>${xmlText(word)}</string>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>cuervo.scheduler</string>
  <key>ProgramArguments</key>
  <array>
${list}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>CUERVO_HOME</key>
    <string>${xmlText(home)}</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`;
}

/** Quoted as in systemd.syntax(7); `%` stands for something else unless it is doubled. */
function systemdWord(word: string): string {
  const plain = word.replaceAll('%', '%%');
  if (/^[\w@%+=:,./$-]+$/.test(plain)) return plain;
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
