/** Git, with the options that every reading command of it may have in front. */
const git = `program = 'git'
before = '''
--no-pager --no-optional-locks -P --literal-pathspecs --glob-pathspecs --noglob-pathspecs
--icase-pathspecs --no-replace-objects'''
before_path = '-C'`;

/**
 * No signature is checked, which would start a program, no path is a pattern, and no submodule is
 * looked into, whose own configuration would hold.
 */
const plain = String.raw`without = [
  '%G', '%\(signature', '^:[/(]', ':/', '^--ignore-submodules=(?!(all|dirty)$)',
]`;

/** Options that choose what a difference shows, and how. */
const diffFlags = `-p -u -s -z -b -w -R -r -D --patch --no-patch --raw --patch-with-raw
--patch-with-stat --minimal --patience --histogram --numstat --shortstat --summary
--name-only --name-status --full-index --find-copies-harder
--ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space
--ignore-blank-lines --function-context -W --exit-code --quiet --no-ext-diff
--no-textconv --no-renames --pickaxe-all --pickaxe-regex --check --no-color
--no-color-moved --no-prefix --default-prefix --no-relative --compact-summary
--cumulative --no-indent-heuristic --indent-heuristic -t -c --cc --combined-all-paths -m
--ita-invisible-in-index`;

/** Options that choose commits and what is shown of them. */
const logFlags = `-NUM --oneline --graph --decorate-refs-exclude --all --follow --merges --no-merges
--first-parent --reverse --no-decorate --date-order --topo-order --author-date-order
--abbrev-commit --no-abbrev-commit --full-history --simplify-merges --ancestry-path
--cherry --cherry-mark --cherry-pick --left-right --left-only --right-only --boundary
--parents --children --relative-date --no-notes --no-walk --clear-decorations --source
--use-mailmap --mailmap --no-mailmap --dense --sparse --simplify-by-decoration -i -E -F
-P --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --invert-grep
--all-match --walk-reflogs -g --full-diff --log-size --remove-empty --no-expand-tabs
--show-pulls --not --reflog --merge`;

/** Options of a difference, whose value may be left out. */
const diffOptional = `-U --unified --color --color-moved --color-words --word-diff --stat --dirstat --abbrev
--find-renames --find-copies --break-rewrites --relative --ignore-submodules`;

/** Options of a list of commits, whose value may be left out. */
const logOptional = `--decorate --branches --tags --remotes --pretty --notes --expand-tabs --encoding`;

/** Options of a difference, whose value is a plain text. */
const diffTexts = `-l --diff-algorithm --diff-filter --word-diff-regex --stat-width --stat-name-width
--stat-count --anchored --ws-error-highlight --src-prefix --dst-prefix --line-prefix
--inter-hunk-context --diff-merges --color-moved-ws`;

/** Options of a list of commits, whose value is a plain text. */
const logTexts = `-n -L --max-count --skip --since --after --until --before --date --min-parents
--max-parents --decorate-refs --exclude --glob --since-as-filter`;

/** The rules for what git shows; part of the shipped ones. */
export const gitReaders = String.raw`[[rule]]
name = 'git-status'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'status'
flags = '''
-s -b -v -z --short --branch --show-stash --long --verbose --ahead-behind
--no-ahead-behind --no-renames --renames'''
optional = '''
--porcelain --untracked-files --ignored --ignore-submodules --column --find-renames -u'''
operands = ['text...']
${plain}
match = [
  'git status', 'git status -sb', 'git --no-pager status --porcelain=v2',
  'git -C src status',
]
not_match = [
  'git -c core.fsmonitor=./x status', 'git --exec-path=. status', 'git -C .. status',
  'git -C /tmp status', 'git --git-dir=/x status', 'git status ../x', 'git -c a=b status',
  'git --config-env=a=b status', 'git status --porc', 'git -Csrc status',
  'git status --ignore-submodules=none', 'git status --ignore-submodules=untracked',
]

[[rule]]
name = 'git-diff'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'diff'
flags = '''
-NUM --cached --staged --merge-base -0 -1 -2 -3 --base --ours --theirs
${diffFlags}'''
optional = '''
${diffOptional}
-M -C -B'''
pattern_options = '-S -G'
text_options = '''
${diffTexts}'''
operands = ['text...']
${plain}
match = [
  'git diff', 'git diff --stat HEAD~2', 'git diff main...feature -- src',
  'git diff --cached -U5', 'git --no-pager diff --name-only',
]
not_match = [
  'git diff --ext-diff', 'git diff --textconv', 'git diff --output=x',
  'git diff --no-index a /etc/passwd', 'git diff -O/etc/passwd', 'git diff --outp=x',
  'git diff --ext', 'git diff HEAD:.env', 'git diff -- ../x', 'git diff --no-index a b',
  'git diff -U --output=x', 'git diff --ignore-submodules=none', 'git diff --submodule=log',
]

[[rule]]
name = 'git-log'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'log'
flags = '''
${logFlags}
${diffFlags}'''
optional = '''
${logOptional}
${diffOptional}
-M -C -B'''
pattern_options = '--grep --author --committer --grep-reflog --format -S -G'
text_options = '''
${logTexts}
${diffTexts}'''
operands = ['text...']
${plain}
match = [
  'git log', 'git log --oneline -5', 'git log -n 3 --stat -- src',
  'git log --since="2 weeks ago" --author=me', 'git log -S"foo()" -p',
  'git log --pretty=format:%h main..dev',
]
not_match = [
  'git log --output=x', 'git log --ext-diff -p', 'git log --show-signature',
  'git log --format=%G?', 'git log --textconv', 'git log -- /etc', 'git log --pretty=%GK',
]

[[rule]]
name = 'git-show'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'show'
flags = '''
${logFlags}
${diffFlags}'''
optional = '''
${logOptional}
${diffOptional}
-M -C -B'''
pattern_options = '--grep --author --committer --grep-reflog --format -S -G'
text_options = '''
${logTexts}
${diffTexts}'''
operands = ['text...']
${plain}
match = ['git show', 'git show HEAD~1:src/a.ts', 'git show --stat abc123']
not_match = [
  'git show HEAD:.env', 'git show --ext-diff', 'git show --textconv HEAD:a',
  'git show --output=x HEAD', 'git show --show-signature',
]

[[rule]]
name = 'git-blame'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'blame'
flags = '''
-b -c -e -f -l -n -p -s -t -w --root --show-stats --show-name --show-number --show-email
--porcelain --line-porcelain --incremental --progress --no-progress --color-lines
--color-by-age'''
optional = '-M -C --abbrev'
text_options = '-L --since --date --ignore-rev'
operands = ['text...']
${plain}
match = ['git blame src/a.ts', 'git blame -L 10,20 src/a.ts', 'git blame HEAD~3 -- a']
not_match = [
  'git blame --contents /etc/passwd a', 'git blame ../a',
  'git blame --ignore-revs-file=/x a', 'git blame .env', 'git blame -S /x a',
]

[[rule]]
name = 'git-branch'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'branch'
flags = '''
-a -r -v -i --all --remotes --verbose --show-current --no-color --no-column --no-abbrev
--ignore-case'''
optional = '--color --column --abbrev --merged --no-merged --contains --no-contains'
text_options = '--sort --format --points-at'
without = ['%G', '%\(signature', '^(--sort=)?[*-]*signature', '^:[/(]', ':/']
match = ['git branch', 'git branch -a', 'git branch -vv', 'git branch --show-current']
not_match = ['git branch --sort=signature', 
  'git branch new', 'git branch -d x', 'git branch -D x', 'git branch -m a b',
  'git branch --edit-description', 'git branch -u origin/x',
  'git branch --set-upstream-to=x', 'git branch -f a b', 'git branch -av new',
]

[[rule]]
name = 'git-branch-list'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'branch'
flags = '''
-a -r -v -i --all --remotes --verbose --list --no-color --no-column --no-abbrev
--ignore-case'''
optional = '--color --column --abbrev'
text_options = '--sort --format --points-at --contains --no-contains --merged --no-merged'
operands = ['text...']
requires = '--list --contains --no-contains --merged --no-merged'
without = ['%G', '%\(signature', '^(--sort=)?[*-]*signature', '^:[/(]', ':/']
match = [
  'git branch --list "feat/*"', 'git branch --contains abc123',
  'git branch -a --merged main',
]
not_match = ['git branch --list --sort=-signature', 'git branch feat', 'git branch --lis x', 'git branch -d --list x']

[[rule]]
name = 'git-tag'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'tag'
flags = '-l --list -i --ignore-case --no-color --no-column'
optional = '-n --color --column'
text_options = '--sort --format --points-at --contains --no-contains --merged --no-merged'
operands = ['text...']
requires = '-l --list -n --points-at --contains --no-contains --merged --no-merged'
without = ['%G', '%\(signature', '^(--sort=)?[*-]*signature', '^:[/(]', ':/']
match = ['git tag -l', 'git tag --list "v*"', 'git tag -n3', 'git tag --contains abc']
not_match = ['git tag -l --sort=signature', 
  'git tag v1', 'git tag -d v1', 'git tag -a v1 -m x', 'git tag -v v1', 'git tag -s v1',
]

[[rule]]
name = 'git-tags'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'tag'
flags = '--no-color'
text_options = '--sort'
without = ['%G', '%\(signature', '^(--sort=)?[*-]*signature', '^:[/(]', ':/']
match = ['git tag', 'git tag --sort=-v:refname']
not_match = ['git tag --sort=signature', 'git tag v1']

[[rule]]
name = 'git-remote'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'remote'
flags = '-v --verbose'
${plain}
match = ['git remote', 'git remote -v']
not_match = [
  'git remote add a b', 'git remote show origin', 'git remote update',
  'git remote set-url a b', 'git remote prune origin',
]

[[rule]]
name = 'git-remote-url'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'remote get-url'
flags = '--all --push'
operands = ['/[A-Za-z0-9][A-Za-z0-9._-]*/']
${plain}
match = ['git remote get-url origin']
not_match = ['git remote set-url origin x', 'git remote get-url /x']

[[rule]]
name = 'git-stash-list'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'stash list'
flags = '''
${logFlags}
${diffFlags}'''
optional = '''
${logOptional}
${diffOptional}'''
pattern_options = '--grep --author --committer --grep-reflog --format'
text_options = '''
${logTexts}
${diffTexts}'''
${plain}
match = ['git stash list']
not_match = [
  'git stash', 'git stash pop', 'git stash list --ext-diff', 'git stash list --format=%G?',
  'git stash drop',
]

[[rule]]
name = 'git-stash-show'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'stash show'
flags = '''
-NUM --include-untracked --only-untracked
${diffFlags}'''
optional = '''
${diffOptional}'''
text_options = '''
${diffTexts}'''
operands = ['text']
${plain}
match = ['git stash show -p', 'git stash show stash@{1}']
not_match = ['git stash apply', 'git stash show --ext-diff', 'git stash show --output=x']

[[rule]]
name = 'git-rev-parse'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'rev-parse'
flags = '''
-q --quiet --verify --is-inside-work-tree --is-inside-git-dir --is-bare-repository
--is-shallow-repository --show-toplevel --show-prefix --show-cdup --git-dir
--absolute-git-dir --git-common-dir --show-superproject-working-tree --symbolic
--symbolic-full-name --all --branches --tags --remotes --local-env-vars
--show-object-format --revs-only --no-revs --flags --no-flags --not'''
optional = '--short --abbrev-ref --show-object-format'
text_options = '--default'
operands = ['text...']
${plain}
match = [
  'git rev-parse HEAD', 'git rev-parse --abbrev-ref HEAD', 'git rev-parse --show-toplevel',
]
not_match = [
  'git rev-parse --parseopt', 'git rev-parse --sq-quote x',
  'git rev-parse --resolve-git-dir /x', 'git rev-parse --git-path /x',
]

[[rule]]
name = 'git-ls-files'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'ls-files'
flags = '''
-c -d -m -o -i -s -u -k -t -v -f -z --cached --deleted --modified --others --ignored
--stage --unmerged --killed --directory --no-empty-directory --eol --deduplicate
--full-name --error-unmatch --exclude-standard --resolve-undo --sparse --debug'''
pattern_options = '-x --exclude --format'
text_options = '--abbrev'
operands = ['text...']
${plain}
match = ['git ls-files', 'git ls-files -o --exclude-standard src', 'git ls-files "*.ts"']
not_match = [
  'git ls-files -X /x', 'git ls-files --exclude-from=/x', 'git ls-files ..',
  'git ls-files --recurse-submodules', 'git ls-files --with-tree=x /y',
]

[[rule]]
name = 'git-ls-tree'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'ls-tree'
flags = '''
-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree'''
optional = '--abbrev'
pattern_options = '--format'
operands = ['text...']
${plain}
match = ['git ls-tree -r HEAD --name-only']
not_match = ['git ls-tree HEAD ../x', 'git ls-remote origin']

[[rule]]
name = 'git-describe'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'describe'
flags = '--all --tags --contains --exact-match --debug --long --always --first-parent'
optional = '--abbrev'
text_options = '--candidates --match --exclude'
operands = ['text...']
${plain}
match = ['git describe --tags --always']
not_match = [
  'git describe /x', 'git describe --foo', 'git describe --dirty', 'git describe --broken=x',
]

[[rule]]
name = 'git-shortlog'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'shortlog'
flags = '-n -s -e -c --numbered --summary --email --committer --all --no-merges'
optional = '-w'
text_options = '--since --until --group --format'
operands = ['text', 'text...']
${plain}
match = ['git shortlog -sn HEAD', 'git shortlog -sne --all']
not_match = ['git shortlog --output=x', 'git shortlog -- /x']

[[rule]]
name = 'git-cat-file'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'cat-file'
flags = '-t -s -e -p --allow-unknown-type'
operands = ['text', 'text']
without = ['%G', '%\(signature', '^:[/(]', ':/', ':(.*/)?\.env|^(?!-).*\.(pem|key)$']
match = ['git cat-file -p HEAD', 'git cat-file -t abc123', 'git cat-file blob HEAD:a']
not_match = [
  'git cat-file --textconv HEAD:a', 'git cat-file --filters HEAD:a',
  'git cat-file --batch', 'git cat-file -p HEAD:.env',
  'git cat-file -p HEAD:config/.env.local',
]

[[rule]]
name = 'git-rev-list'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'rev-list'
flags = '''
-NUM --count --all --objects --quiet --timestamp --header --oneline --graph
--decorate-refs-exclude --follow --merges --no-merges --first-parent --reverse
--no-decorate --date-order --topo-order --author-date-order --abbrev-commit
--no-abbrev-commit --full-history --simplify-merges --ancestry-path --cherry --cherry-mark
--cherry-pick --left-right --left-only --right-only --boundary --parents --children
--relative-date --no-notes --no-walk --clear-decorations --source --use-mailmap --mailmap
--no-mailmap --dense --sparse --simplify-by-decoration -i -E -F -P --regexp-ignore-case
--extended-regexp --fixed-strings --perl-regexp --invert-grep --all-match --walk-reflogs
-g --full-diff --log-size --remove-empty --no-expand-tabs --show-pulls --not --reflog
--merge'''
optional = '''
${logOptional}'''
pattern_options = '--grep --author --committer --format'
text_options = '''
${logTexts}'''
operands = ['text...']
${plain}
match = ['git rev-list --count HEAD', 'git rev-list -n 1 main']
not_match = ['git rev-list --format=%G? HEAD', 'git rev-list --foo', 'git rev-list --stdin']

[[rule]]
name = 'git-merge-base'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'merge-base'
flags = '-a --all --octopus --independent --is-ancestor --fork-point'
operands = ['text...']
${plain}
match = ['git merge-base main HEAD']
not_match = ['git merge main', 'git merge-base /x y']

[[rule]]
name = 'git-name-rev'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'name-rev'
flags = '--tags --all --name-only --no-undefined --always'
text_options = '--refs --exclude'
operands = ['text...']
${plain}
match = ['git name-rev HEAD']
not_match = ['git name-rev --stdin']

[[rule]]
name = 'git-refs'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'for-each-ref'
flags = '--shell --perl --python --tcl --ignore-case --omit-empty'
optional = '--color'
pattern_options = '--format'
text_options = '''
--count --sort --points-at --merged --no-merged --contains --no-contains --exclude'''
operands = ['text...']
without = ['%G', '%\(signature', '^:[/(]', ':/', 'signature']
match = ['git for-each-ref refs/heads']
not_match = [
  'git for-each-ref --format=%(signature) x', 'git for-each-ref --stdin',
  'git update-ref a b',
]

[[rule]]
name = 'git-show-ref'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'show-ref'
flags = '-d -s -q --head --heads --branches --tags --dereference --hash --verify --quiet'
optional = '--abbrev --hash'
operands = ['text...']
${plain}
match = ['git show-ref --heads']
not_match = ['git show-ref --exclude-existing']

[[rule]]
name = 'git-reflog'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'reflog'
flags = '''
${logFlags}'''
optional = '''
${logOptional}'''
pattern_options = '--grep --format'
text_options = '''
${logTexts}'''
operands = ['/show|HEAD(@.*)?/', 'text...']
${plain}
match = ['git reflog', 'git reflog -5', 'git reflog show main']
not_match = ['git reflog expire --all', 'git reflog delete x', 'git reflog --format=%G?']

[[rule]]
name = 'git-count'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'count-objects'
flags = '-v -H --verbose --human-readable'
${plain}
match = ['git count-objects -vH']
not_match = ['git gc']

[[rule]]
name = 'git-grep'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'grep'
flags = '''
-NUM --cached --untracked --no-exclude-standard --exclude-standard -i
--ignore-case -I -r -w --word-regexp -v --invert-match -h -H --full-name -E
--extended-regexp -G --basic-regexp -P --perl-regexp -F --fixed-strings -n --line-number
--column -l --files-with-matches --name-only -L --files-without-match -z --null -o
--only-matching -c --count --break --heading -p --show-function -W --function-context -q
--quiet --all-match --and --or --not --no-color'''
optional = '--color'
pattern_options = '-e'
text_options = '''
-A -B -C -m --max-depth --max-count --after-context --before-context --context --threads'''
operands = ['pattern', 'text...']
pattern_given_by = '-e'
${plain}
match = ['git grep -n TODO', 'git grep -e a --and -e b HEAD -- src']
not_match = [
  'git grep -O x', 'git grep --open-files-in-pager=./x y', 'git grep --textconv x',
  'git grep --no-index x /etc', 'git grep x -- ..', 'git grep --open x', 'git grep -f /x',
  'git grep --recurse-submodules x',
]

[[rule]]
name = 'git-plumbing-diff'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'diff-tree'
flags = '''
-NUM -r -t -v -s --root --no-commit-id --always --merge-base -p -u -z -a -b -w -R -D
--patch --no-patch --raw --patch-with-raw --patch-with-stat --minimal --patience
--histogram --numstat --shortstat --summary --name-only --name-status --full-index
--binary --find-copies-harder --text --ignore-cr-at-eol --ignore-space-at-eol
--ignore-space-change --ignore-all-space --ignore-blank-lines --function-context -W
--exit-code --quiet --no-ext-diff --no-textconv --no-renames --pickaxe-all --pickaxe-regex
--check --no-color --no-color-moved --no-prefix --default-prefix --no-relative
--compact-summary --cumulative --no-indent-heuristic --indent-heuristic -c --cc
--combined-all-paths -m --ita-invisible-in-index'''
optional = '''
${diffOptional}
-M -C -B'''
pattern_options = '-S -G --format'
text_options = '''
${diffTexts}'''
operands = ['text...']
${plain}
match = ['git diff-tree --no-commit-id --name-only -r HEAD']
not_match = [
  'git diff-tree --ext-diff HEAD', 'git diff-tree --stdin',
  'git diff-tree --output=x HEAD',
]

[[rule]]
name = 'git-diff-index'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'diff-index'
flags = '''
-NUM --cached
${diffFlags}'''
optional = '''
${diffOptional}
-M -C -B'''
text_options = '''
${diffTexts}'''
operands = ['text...']
${plain}
match = ['git diff-index --quiet HEAD']
not_match = [
  'git diff-index --ext-diff HEAD', 'git diff-index --ignore-submodules=none HEAD',
]

[[rule]]
name = 'git-check-ignore'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'check-ignore'
flags = '-q -v -n -z --quiet --verbose --non-matching --no-index'
operands = ['text...']
${plain}
match = ['git check-ignore -v dist']
not_match = ['git check-ignore --stdin', 'git check-ignore /x']

[[rule]]
name = 'git-config-get'
decision = 'allow'
reason = 'shows a setting of git that holds no secret'
${git}
subcommand = 'config'
flags = '''
--get --get-all --local --null -z --bool --int --show-origin --show-scope --includes'''
operands = [
  
  '/user\.(name|email)|core\.[A-Za-z]+|init\.defaultBranch|branch\.[^:]+\.(merge|remote)|remote\.[^:]+\.fetch|pull\.[A-Za-z]+|push\.[A-Za-z]+/',
]
requires = '--get --get-all'
${plain}
match = ['git config --get user.name']
not_match = [
  'git config user.name x', 'git config --get user.name x', 'git config --list',
  'git config --global --get credential.helper', 'git config --get-regexp .',
  'git config -f /x --get a.b', 'git config --get http.proxy',
  'git config core.fsmonitor ./x',
]

[[rule]]
name = 'git-worktree-list'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'worktree list'
flags = '-v -z --verbose --porcelain'
${plain}
match = ['git worktree list']
not_match = ['git worktree add x']

[[rule]]
name = 'git-symbolic-ref'
decision = 'allow'
reason = 'shows what git knows'
${git}
subcommand = 'symbolic-ref'
flags = '-q --quiet --short'
operands = ['text']
${plain}
match = ['git symbolic-ref --short HEAD']
not_match = ['git symbolic-ref HEAD refs/heads/x', 'git symbolic-ref -d HEAD']`;
