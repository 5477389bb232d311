/**
 * Names of files by what they are, in lower case. `*` stands for any part of a name. A name with a
 * slash is the end of a path, the others are names wherever they stand; what lies below a folder of
 * a name belongs to it.
 */

/** Keys, credentials, and what programs write of them: neither read nor written. */
export const secretNames: readonly string[] = [
  // Keys and stores of keys, by their endings.
  ...['*.pem', '*.key', '*.keypair', '*.ppk', '*.p8', '*.p12', '*.pfx', '*.pkcs12', '*.agekey'],
  ...['*.jks', '*.jceks', '*.bcfks', '*.keystore', '*.keyring', '*.keytab', '*.kdb', '*.kdbx'],
  ...['*.psafe3', '*.agilekeychain', '*.keychain', '*.keychain-db', '*.kwallet', '*.bek'],
  ...['*.ovpn', '*.tblk', '*.kubeconfig', '*.tfstate', '*.tfstate.*', '*.auto.tfvars'],
  ...['*.publishsettings', '*.pubxml.user', '*.cscfg'],
  ...['*.pvk', '*.pk8', '*.pkcs8', '*.key~', '*.pem~', '*.key.bak', '*.pem.bak', '*.key.old'],
  ...['*.pem.old'],
  // SSH and GPG.
  ...['id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', '*_rsa', '*_ecdsa', '*_ed25519'],
  ...['.ssh', '.shosts', '.rhosts', 'ssh_host_*', '.gnupg', '.password-store', 'secring.*'],
  'sops/age',
  ...['id_xmss*', 'private_key', 'private-key', 'deploy_key', 'krb5cc_*', '.xauthority'],
  ...['.iceauthority'],
  // Passwords that a program looks up.
  ...['.netrc', '_netrc', '.pgpass', 'pgpass.conf', '.my.cnf', '.mylogin.cnf', '.git-credentials'],
  ...['.htpasswd', '.htdigest', '.vault-token', '.vault_pass*', '.vault-pass*', '.passwd-s3fs'],
  ...['.smbcredentials', '.cvspass', '.subversion/auth', 'etc/shadow', 'etc/gshadow'],
  ...['etc/master.passwd', 'proftpdpasswd', '.msmtprc', '.fetchmailrc', '.mbsyncrc'],
  ...['.offlineimaprc', '.esmtprc', '.muttrc', '.purple/accounts.xml', '.irssi/config'],
  ...['.xchat2', 'otr.private_key', '.recon-ng/keys.db', 'wallet.dat'],
  ...['.authinfo*', '.netrc~', '.netrc.bak', '.pgpass~', '.pgpass.bak', '.git-credentials~'],
  ...['git/credentials', 'git/credential', '.git-credential-cache', '.lftprc', '.lftp/rc'],
  ...['.davfs2/secrets', '.mutt/muttrc', '.getmail', 'weechat/sec.conf', '.weechat/sec.conf'],
  ...['.electrum', '.ethereum/keystore', 'solana/id.json', '.flaskenv'],
  // Clouds, registries and services.
  ...['credentials.json', 'credentials.xml', 'credentials.db', 'credentials.tfrc.json'],
  ...['.credentials', '.credentials.json', 'application_default_credentials.json'],
  ...['access_tokens.db', 'client_secret*.json', '.aws/credentials*', '.aws/config', '.aws/cli'],
  ...['.aws/sso', '.azure/accesstokens.json', '.azure/azureprofile.json', '.azure/msal_*'],
  ...['.azure/service_principal_*', '.config/gcloud', '.gcloud', '.oci', '.s3cfg', '.boto'],
  ...['.tugboat', 'doctl/config.yaml', '.kube/config*', '.kube/cache', 'kubeconfig'],
  ...['.docker/config.json', '.dockercfg', '.dockerconfigjson', 'containers/auth.json'],
  ...['.config/hub', 'gh/hosts.yml', 'glab-cli/config.yml', '.terraformrc', 'terraform.rc'],
  ...['terraform.tfvars', '.terraform.d/credentials*', 'rclone.conf', '.databrickscfg'],
  ...['.snowsql/config', '.dbt/profiles.yml', '.sentryclirc', '.wakatime.cfg', 'kaggle.json'],
  ...['huggingface/token*', '.huggingface/token*', '.codex/auth.json', '.netlify/config.json'],
  ...[
    '.fly/config.yml',
    'com.vercel.cli/auth.json',
    '.cloudflared/*.json',
    '.supabase/access-token',
  ],
  ...['.config/configstore', '.config/op', '.pypirc', '.gem/credentials', '.cargo/credentials*'],
  ...['credentials.toml', 'pip.conf', 'pip.ini', 'pypoetry/auth.toml', 'uv/credentials'],
  ...['settings.xml', 'settings-security.xml', '.gradle/gradle.properties'],
  ...['.composer/auth.json', 'composer/auth.json', '.bundle/config', 'secret_token.rb'],
  ...['secrets.yml', 'secrets.yaml', 'secrets.json', 'secrets.toml', 'credentials.yml'],
  ...['credentials.yaml', 'credentials.ini', 'credentials.csv', 'credentials.clj*'],
  ...['accesskeys.csv', '*_accesskeys.csv', 'rootkey.csv', 'service-account*.json'],
  ...['service_account*.json', 'serviceaccount*.json', 'firebase-adminsdk*.json'],
  ...['*-firebase-adminsdk*.json', 'admin.conf', 'kubelet.conf', 'ngrok.yml', 'hcloud/cli.toml'],
  ...['stripe/config.toml', '.mc/config.json', '.wrangler/config', '.hex/hex.config', '.jfrog'],
  ...['helm/registry', 'tea/config.yml', '.circleci/cli.yml', '.travis/config.yml', 'linode-cli'],
  ...['.twilio-cli', '.railway', 'key.properties', 'keystore.properties'],
  ...['.gemini/oauth_creds.json', '.claude.json', 'github-copilot/hosts.json'],
  ...['github-copilot/apps.json', 'opencode/auth.json'],
  // Of editors and other programs with a window.
  ...['sftp-config.json', '.vscode/sftp.json', '.ftpconfig', '.remote-sync.json', 'filezilla.xml'],
  ...[
    'recentservers.xml',
    'sitemanager.xml',
    '.idea/webservers.xml',
    '.idea/datasources.local.xml',
  ],
  ...['credentials-config.json', '.dbeaver-data-sources.xml', 'logins.json', 'key3.db', 'key4.db'],
  ...['signons.sqlite', 'cookies.sqlite', 'login data', 'share/keyrings'],
  ...['cookies.txt', 'bitwarden cli/data.json', '.1password'],
  'jenkins.plugins.publish_over_ssh.bapsshpublisherplugin.xml',
  // What was typed before, passwords among it.
  ...['.*_history', '.history', 'fish_history'],
  // The default CUERVO_HOME, where a home directory is the workspace.
  '.cuervo',
];

/** Files that a shell or a program executes or obeys when it starts: neither read nor written. */
export const obeyedNames: readonly string[] = [
  ...['.env*', '.npmrc'],
  // What shells and sessions run when they start or end.
  ...['.bashrc', '.zshrc', '.kshrc', '.mkshrc', '.cshrc', '.tcshrc', '.xonshrc'],
  ...['.profile', '.bash_profile', '.zprofile', '.xprofile', '.pam_environment'],
  ...['.bash_login', '.bash_logout', '.bash_aliases', '.bash_completion', '.bashrc.d', '.zshrc.d'],
  ...[
    '.zshenv',
    '.zlogin',
    '.zlogout',
    '.login',
    '.logout',
    '.xinitrc',
    '.xsession',
    '.xsessionrc',
  ],
  ...['config.fish', 'fish/conf.d', 'fish/functions', 'nushell/config.nu', 'nushell/env.nu'],
  ...['elvish/rc.elv', 'profile.ps1', 'microsoft.powershell_profile.ps1'],
];

/**
 * Files that another program runs, or takes commands from, without anybody asking for that file.
 * They are read and written like others, but nobody writes one without a yes to that very change.
 */
export const runNames: readonly { by: string; names: readonly string[] }[] = [
  {
    by: 'a CI service',
    names: [
      ...['.github/workflows', '.github/actions', '.gitea/workflows', '.forgejo/workflows'],
      ...['.gitlab-ci.yml', '.gitlab/ci', '.circleci', '.travis.yml', 'jenkinsfile*', '.buildkite'],
      ...['azure-pipelines*.yml', '.azure-pipelines', 'bitbucket-pipelines.yml', '.drone.yml'],
      ...['.woodpecker', '.woodpecker.y*ml', 'appveyor.yml', '.appveyor.yml', '.cirrus.yml'],
      ...['cloudbuild.y*ml', 'buildspec.y*ml', '.semaphore', '.teamcity', '.tekton', '.builds'],
      ...['.build.yml', 'codemagic.yaml', '.gitlab-ci.yaml', 'wercker.yml', '.cirrus.star'],
      ...['action.yml', 'action.yaml', 'netlify.toml', 'vercel.json', 'render.yaml', '.drone.star'],
      ...['.drone.jsonnet', '.harness', '.azuredevops', '.gitpod.yml', '.replit', 'dangerfile*'],
    ],
  },
  {
    by: 'an editor',
    names: [
      ...['.vscode/tasks.json', '.vscode/settings.json', '.vscode/launch.json', '*.code-workspace'],
      ...['.devcontainer', '.devcontainer.json', '.idea/workspace.xml', '.idea/runconfigurations'],
      ...['*.run.xml', '.zed/tasks.json', '.zed/settings.json', '.fleet/run.json', '.helix'],
      ...['.vimrc', '.gvimrc', '.exrc', '.nvimrc', '.nvim.lua', '.lvimrc', '.vim', 'nvim/init.*'],
      ...['.dir-locals.el', '.dir-locals-2.el', '.emacs', '.emacs.d', '*.sublime-project'],
      ...['.zed/debug.json', '.nova/tasks', '.theia/tasks.json', '.theia/launch.json', '.kakrc'],
      ...['.spacemacs', '.doom.d'],
    ],
  },
  {
    by: 'an assistant',
    names: [
      ...['.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json', '.cursor/hooks.json'],
      ...['.claude/settings*.json', '.claude/hooks', '.gemini/settings.json', '.codex/config.toml'],
      ...['.claude/commands', '.claude/agents', '.claude/skills', 'claude.md', 'claude.local.md'],
      ...['agents.md', 'gemini.md', '.cursorrules', '.cursor/rules', '.windsurfrules', '.windsurf'],
      ...['.clinerules', '.roo', '.continue', '.aider.conf.yml', 'copilot-instructions.md'],
      ...['.github/instructions', '.github/prompts', '.codeium/windsurf/mcp_config.json'],
    ],
  },
  {
    by: 'git',
    names: [
      ...['.gitconfig', '.config/git', '.gitmodules', '.gitattributes', '.githooks', '.husky'],
      ...['.pre-commit-config.y*ml', 'lefthook*.y*ml', '.lefthook*', '.overcommit.yml', '.hgrc'],
      ...['.huskyrc*', '.lintstagedrc*', 'lint-staged.config.*'],
    ],
  },
  {
    by: 'a shell or a terminal',
    names: [
      ...['.inputrc', '.tmux.conf', '.screenrc', '.direnvrc', '.config/direnv', '.autoenv*'],
      ...['.mise.toml', 'mise.toml', '.mise', '.rtx.toml', '.wgetrc', '.curlrc', '.lessfilter'],
      ...['tmux/tmux.conf', '.asdfrc', '.config/mise', '.wezterm.lua', 'wezterm/wezterm.lua'],
      ...['kitty/kitty.conf', '.config/zsh', '.oh-my-zsh', '.zsh_plugins.txt', 'starship.toml'],
      ...['.lessrc'],
    ],
  },
  {
    by: 'the system',
    names: [
      ...['.config/autostart', '.config/systemd', 'launchagents', 'launchdaemons', 'crontab'],
      ...['etc/cron*', 'rc.local', 'etc/profile.d', '.local/share/applications'],
      ...['.config/environment.d', '.config/i3', '.config/sway', '.config/hypr', '.xbindkeysrc'],
      ...['.forward', '.procmailrc', '.mailcap', 'etc/ld.so.preload', 'etc/sudoers.d'],
    ],
  },
  {
    by: 'an interpreter, a debugger or a package manager',
    names: [
      ...['sitecustomize.py', 'usercustomize.py', '.pythonrc*', '.pdbrc', '.irbrc', '.pryrc'],
      ...['.rprofile', '.renviron', '.gdbinit', '.lldbinit', '.ghci', '.psqlrc', '.sqliterc'],
      ...['.yarnrc', '.yarnrc.yml', '.pnpmfile.*js', '.condarc', 'bunfig.toml'],
      ...['.cargo/config', '.cargo/config.toml', '.mvn', '.gradle/init*', '.bazelrc', '.sbtopts'],
      ...['.jvmopts', '.perltidyrc', '.rspec', '.guile', '.sbclrc', '.julia/config'],
      ...['*.pth', '.npm-init.js', '.valgrindrc', '.ocamlinit', '.octaverc', '.mysqlrc'],
      ...['.duckdbrc', '.gemrc', '.pnp.cjs', '.pnp.loader.mjs', '.yarn/plugins', '.yarn/releases'],
      ...['dotnet-tools.json', 'directory.build.props', 'directory.build.targets'],
    ],
  },
];
