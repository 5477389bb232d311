/**
 * Names of files by what they are, in lower case. `*` stands for any part of a name. A name with a
 * slash is the end of a path, the others are names wherever they stand; what lies below a folder of
 * a name belongs to it.
 */

/** Keys, credentials, and what programs write of them: neither read nor written. */
export const secretNames: readonly string[] = [
  ...listed(`
  # Keys and stores of keys, by their endings.
  *.pem *.key *.keypair *.ppk *.p8 *.p12 *.pfx *.pkcs12 *.agekey *.jks *.jceks *.bcfks *.keystore
  *.keyring *.keytab *.kdb *.kdbx *.psafe3 *.agilekeychain *.keychain *.keychain-db *.kwallet
  *.bek *.ovpn *.tblk *.kubeconfig *.tfstate *.tfstate.* *.auto.tfvars *.publishsettings
  *.pubxml.user *.cscfg *.pvk *.pk8 *.pkcs8 *.key~ *.pem~ *.key.bak *.pem.bak *.key.old *.pem.old
  *.nmconnection *.rdg *.fve *.tpm *.jwk *.snk
  # SSH and GPG.
  id_rsa* id_dsa* id_ecdsa* id_ed25519* *_rsa *_ecdsa *_ed25519 .ssh .shosts .rhosts ssh_host_*
  .gnupg .password-store secring.* sops/age id_xmss* private_key private-key deploy_key krb5cc_*
  .xauthority .iceauthority
  # Passwords that a program looks up.
  .netrc _netrc .pgpass pgpass.conf .my.cnf .mylogin.cnf .git-credentials .htpasswd .htdigest
  .vault-token .vault_pass* .vault-pass* .passwd-s3fs .smbcredentials .cvspass .subversion/auth
  etc/shadow etc/gshadow etc/master.passwd proftpdpasswd .msmtprc .fetchmailrc .mbsyncrc
  .offlineimaprc .esmtprc .muttrc .purple/accounts.xml .irssi/config .xchat2 otr.private_key
  .recon-ng/keys.db wallet.dat .authinfo* .netrc~ .netrc.bak .pgpass~ .pgpass.bak
  .git-credentials~ git/credentials git/credential .git-credential-cache .lftprc .lftp/rc
  .davfs2/secrets .mutt/muttrc .getmail weechat/sec.conf .weechat/sec.conf .electrum
  .ethereum/keystore solana/id.json .flaskenv .gitcookies .arcrc .p4tickets svn/auth
  .hgrc hg/hgrc mercurial.ini .mercurial.ini authentication.conf .pg_service.conf pg_service.conf cqlshrc cwallet.sso chap-secrets
  pap-secrets ipsec.secrets .vnc/passwd wpa_supplicant*.conf etc/wireguard aerc/accounts.conf
  msmtp/config isync/mbsyncrc .neomuttrc .secrets .secret .rclone.conf .odbc.ini vault_pass*
  vault-pass* vault-token ventrilo_srv.ini utc--* .near-credentials mnemonic.txt .ghtoken
  .github_token github_token .gitlab-token .gitlab_token .api_key .api-key .apikey wg0.conf
  .step/secrets unattend.xml autounattend.xml sysprep.inf sysprep.xml ntds.dit
  # Clouds, registries and services.
  credentials.json credentials.xml credentials.db credentials.tfrc.json .credentials
  .credentials.json application_default_credentials.json access_tokens.db client_secret*.json
  .aws/credentials* .aws/config .aws/cli .aws/sso .azure/accesstokens.json
  .azure/azureprofile.json .azure/msal_* .azure/service_principal_* .config/gcloud .gcloud .oci
  .s3cfg .boto .tugboat doctl/config.yaml .kube/config* .kube/cache kubeconfig .docker/config.json
  .dockercfg .dockerconfigjson containers/auth.json .config/hub gh/hosts.yml glab-cli/config.yml
  .terraformrc terraform.rc terraform.tfvars .terraform.d/credentials* rclone.conf .databrickscfg
  .snowsql/config .dbt/profiles.yml .sentryclirc .wakatime.cfg kaggle.json huggingface/token*
  .huggingface/token* .codex/auth.json .netlify/config.json .fly/config.yml
  com.vercel.cli/auth.json .cloudflared/*.json .supabase/access-token .config/configstore
  .config/op .pypirc .gem/credentials .cargo/credentials* credentials.toml pip.conf pip.ini
  pypoetry/auth.toml uv/credentials settings.xml settings-security.xml .gradle/gradle.properties
  .composer/auth.json composer/auth.json .bundle/config secret_token.rb secrets.yml secrets.yaml
  secrets.json secrets.toml credentials.yml credentials.yaml credentials.ini credentials.csv
  credentials.clj* accesskeys.csv *_accesskeys.csv rootkey.csv *service-account*.json
  *service_account*.json *serviceaccount*.json *-credentials.json *_credentials.json
  *.credentials.json gcp-key*.json gcp_key*.json gcloud-key*.json sa-key*.json *-sa-key.json
  firebase-adminsdk*.json *-firebase-adminsdk*.json *.env .dev.vars* local.settings.json .yarnrc.yml
  terraform.tfvars.json *.auto.tfvars.json kubeconfig.y*ml
  admin.conf kubelet.conf ngrok.yml hcloud/cli.toml stripe/config.toml .mc/config.json
  .wrangler/config .hex/hex.config .jfrog helm/registry tea/config.yml .circleci/cli.yml
  .travis/config.yml linode-cli .twilio-cli .railway key.properties keystore.properties
  .gemini/oauth_creds.json .claude.json github-copilot/hosts.json github-copilot/apps.json
  opencode/auth.json nuget.config .clasprc.json .coveralls.yml sentry.properties kube_config_*
  talosconfig .talos/config helm/repositories.yaml argocd/config .argocd/config k3s.yaml
  io.datasette.llm/keys.json .bitrise.secrets.yml .ossutilconfig .cos.conf .ibmcloud .bluemix
  .config/openstack clouds.yaml .pulumi .config/heroku .tsh .docker/contexts
  .qwen/oauth_creds.json .config/goose/secrets.yaml .platformio/appstate.json .snowflake
  connections.toml .config/wandb .modal.toml .runpod .config/hcloud .exoscale .scw scw/config.yaml
  .trc heroku.json deployment-config.json .linode-cli .vercel/auth.json .aliyun .tccli
  # Of editors and other programs with a window.
  sftp-config.json .vscode/sftp.json .ftpconfig .remote-sync.json filezilla.xml recentservers.xml
  sitemanager.xml .idea/datasources.local.xml credentials-config.json
  .dbeaver-data-sources.xml logins.json key3.db key4.db signons.sqlite cookies.sqlite
  share/keyrings cookies.txt .1password .remmina remmina default.rdp thunderbird/profiles
  .pki/nssdb jenkins.plugins.publish_over_ssh.bapsshpublisherplugin.xml robomongo.json robo3t.json
  winscp.ini .winscp.ini confcons.xml webservers.xml
  # What was typed before, passwords among it.
  .*_history .history fish_history .dbshell
  # The default CUERVO_HOME, where a home directory is the workspace.
  .cuervo
`),
  'login data',
  'bitwarden cli/data.json',
];

/** Files that a shell or a program executes or obeys when it starts: neither read nor written. */
export const obeyedNames: readonly string[] = listed(`
  .env* .npmrc
  # What repositories say of hooks, programs and addresses, as .git/config does.
  .hg/hgrc .hg/hgrc-not-shared .sl/config .sl/config-local .jj/repo/config.toml .jj/config.toml
  .jj/workspace-config.toml .bzr/branch/branch.conf _darcs/prefs/defaults _darcs/prefs/sources
  # What shells and sessions run when they start or end.
  .bashrc .zshrc .kshrc .mkshrc .cshrc .tcshrc .xonshrc .profile .bash_profile .zprofile .xprofile
  .pam_environment .bash_login .bash_logout .bash_aliases .bash_completion .bashrc.d .zshrc.d
  .zshenv .zlogin .zlogout .login .logout .xinitrc .xsession .xsessionrc config.fish fish/conf.d
  fish/functions nushell/config.nu nushell/env.nu elvish/rc.elv profile.ps1
  microsoft.powershell_profile.ps1
`);

/**
 * Files that another program runs or obeys without being asked to. They are read and written like
 * others, but each write needs a yes to that very change.
 */
export const runNames: readonly { by: string; names: readonly string[] }[] = [
  {
    by: 'a CI service',
    names: listed(`
      .github/workflows .github/actions .gitea/workflows .forgejo/workflows .gitlab-ci.yml
      .gitlab/ci .circleci .travis.yml jenkinsfile* .buildkite azure-pipelines*.yml
      .azure-pipelines bitbucket-pipelines.yml .drone.yml .woodpecker .woodpecker.y*ml
      appveyor.yml .appveyor.yml .cirrus.yml cloudbuild.y*ml buildspec.y*ml .semaphore .teamcity
      .tekton .builds .build.yml codemagic.yaml .gitlab-ci.yaml wercker.yml .cirrus.star
      action.yml action.yaml netlify.toml vercel.json render.yaml .drone.star .drone.jsonnet
      .harness .azuredevops .gitpod.yml .replit dangerfile* .readthedocs.y*ml .packit.y*ml
      .zuul.yaml .zuul.d zuul.d *.gocd.yaml screwdriver.yaml .vsts-ci.yml amplify.yml heroku.yml
      procfile fly.toml railway.toml railway.json nixpacks.toml .do/app.yaml wrangler.toml
      wrangler.jsonc firebase.json .platform.app.yaml .upsun .stackblitzrc .codesandbox .idx
      devfile.yaml .devfile.yaml app.json now.json .gitlab-ci
    `),
  },
  {
    by: 'an editor',
    names: listed(`
      .vscode/tasks.json .vscode/settings.json .vscode/launch.json *.code-workspace .devcontainer
      .devcontainer.json .idea/workspace.xml .idea/runconfigurations *.run.xml .zed/tasks.json
      .zed/settings.json .fleet/run.json .helix .vimrc .gvimrc .exrc .nvimrc .nvim.lua .lvimrc
      .vim nvim/init.* .dir-locals.el .dir-locals-2.el .emacs .emacs.d *.sublime-project
      .zed/debug.json .nova/tasks .theia/tasks.json .theia/launch.json .kakrc .spacemacs .doom.d
      .idea/watchertasks.xml .idea/startup.xml .idea/externaldependencies.xml .idea/tools .vs
      tasks.vs.json launch.vs.json .externaltoolbuilders *.sublime-build .config/nvim .config/vim
      .config/helix .nanorc .kateproject .pylintrc pylintrc .rubocop.yml .eslintrc.*js
      eslint.config.* .prettierrc.*js prettier.config.* .stylelintrc.*js stylelint.config.*
    `),
  },
  {
    by: 'an assistant',
    names: listed(`
      .mcp.json .vscode/mcp.json .cursor/mcp.json .cursor/hooks.json .claude/settings*.json
      .claude/hooks .gemini/settings.json .codex/config.toml .claude/commands .claude/agents
      .claude/skills claude.md claude.local.md agents.md gemini.md .cursorrules .cursor/rules
      .windsurfrules .windsurf .clinerules .roo .continue .aider.conf.yml copilot-instructions.md
      .github/instructions .github/prompts .codeium/windsurf/mcp_config.json mcp.json
      opencode.json* .opencode .crush.json crush.json .cursor/environment.json .cursor/commands
      .cursor/agents .cursor/cli.json .github/agents .github/chatmodes .github/hooks .junie .kiro
      .trae .amazonq .augment .goosehints .qwen .factory .claude-plugin .claude/plugins warp.md
      .warp .rules .codex/prompts
    `),
  },
  {
    by: 'git',
    names: listed(`
      .gitconfig .config/git .gitmodules .gitattributes .githooks .husky .pre-commit-config.y*ml
      lefthook*.y*ml lefthook*.toml lefthook*.json* .lefthook* .overcommit.yml .huskyrc*
      .lintstagedrc* lint-staged.config.* .simple-git-hooks.* simple-git-hooks.* captainhook.json grumphp.yml
      .cargo-husky .trunk prek.toml hk.pkl .pre-commit-hooks.yaml .git-hooks .hooks
    `),
  },
  {
    by: 'a shell or a terminal',
    names: listed(`
      .inputrc .tmux.conf .screenrc .direnvrc .config/direnv .autoenv* .mise.toml mise.toml .mise
      .rtx.toml .wgetrc .curlrc .lessfilter tmux/tmux.conf .asdfrc .config/mise .wezterm.lua
      wezterm/wezterm.lua kitty/kitty.conf .config/zsh .oh-my-zsh .zsh_plugins.txt starship.toml
      .lessrc .mise.local.toml mise.local.toml .mise.*.toml mise.*.toml .tool-versions devbox.json
      devenv.nix flake.nix shell.nix .direnv mise/config*.toml alacritty.toml ghostty/config
      foot/foot.ini .aliases .functions .zsh_aliases .config/powershell .zellij zellij/config.kdl
    `),
  },
  {
    by: 'the system',
    names: listed(`
      .config/autostart .config/systemd launchagents launchdaemons crontab etc/cron* rc.local
      etc/profile.d .local/share/applications .config/environment.d .config/i3 .config/sway
      .config/hypr .xbindkeysrc .forward .procmailrc .mailcap etc/ld.so.preload etc/sudoers.d
      autorun.inf desktop.ini programs/startup .config/openbox .config/awesome .config/bspwm
      sxhkdrc .fluxbox .config/waybar .config/polybar .config/plasma-workspace .xserverrc etc/udev
      etc/systemd .local/share/systemd .htaccess .user.ini
    `),
  },
  {
    by: 'an interpreter, a debugger or a package manager',
    names: listed(`
      sitecustomize.py usercustomize.py .pythonrc* .pdbrc .irbrc .pryrc .rprofile .renviron
      .gdbinit .lldbinit .ghci .psqlrc .sqliterc .yarnrc .pnpmfile.*js .condarc
      bunfig.toml .cargo/config .cargo/config.toml .mvn .gradle/init* .bazelrc .sbtopts .jvmopts
      .perltidyrc .rspec .guile .sbclrc .julia/config *.pth .npm-init.js .valgrindrc .ocamlinit
      .octaverc .mysqlrc .duckdbrc .gemrc .pnp.cjs .pnp.loader.mjs .yarn/plugins .yarn/releases
      dotnet-tools.json directory.build.props directory.build.targets .ipython ipython_config.py
      jupyter_*config.py .jupyter .byebugrc .rdbgrc .psysh.php .radare2rc .r2rc .buckconfig
      .bazelrc.user .guardfile guardfile .phpactor* pip.conf.d directory.packages.props
      nuget.exe.config .pdm.toml
    `),
  },
];

/** The names of a text, one behind the other; a line that begins with `#` says what follows. */
/** They look like secret names and are written to be shared. */
export const sharedNames: readonly string[] = ['example.env', 'sample.env', 'template.env'];

function listed(text: string): string[] {
  return text
    .replace(/^ *#.*$/gm, '')
    .split(/\s+/)
    .filter(Boolean);
}
