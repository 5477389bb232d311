import { gitReaders } from './git-readers.ts';

/**
 * The rules that ship with cuervo, in the form of a user's `rules.toml` (docs/policy.md). What is no
 * option of a rule here is not known to be safe, so the list of options is long on purpose, and none
 * of them writes, runs a program, follows a file of names or reaches the network.
 */
export const shippedRulesToml = String.raw`
[[rule]]
name = 'privileges'
decision = 'deny'
reason = 'it takes the rights of another user'
program = ['sudo', 'sudoedit', 'su', 'doas', 'pkexec', 'runas', 'visudo']
match = ['sudo ls', 'su -c id', '/usr/bin/sudo -n true']
not_match = ['echo sudo', 'sum a']

[[rule]]
name = 'power'
decision = 'deny'
reason = 'it stops the machine'
program = ['shutdown', 'reboot', 'halt', 'poweroff', 'telinit']
match = ['shutdown -h now', 'reboot']
not_match = ['echo reboot']

[[rule]]
name = 'power-state'
decision = 'deny'
reason = 'it stops the machine'
program = ['systemctl', 'init']
with = ['^(poweroff|reboot|halt|suspend|hibernate|kexec|rescue|emergency|[016])$']
match = ['systemctl poweroff', 'init 0']
not_match = ['systemctl status nginx', 'init']

[[rule]]
name = 'disk-tools'
decision = 'deny'
reason = 'it writes to a disk below the file system'
program = [
  'mkfs', 'mkfs.ext2', 'mkfs.ext3', 'mkfs.ext4', 'mkfs.xfs', 'mkfs.btrfs', 'mkfs.vfat',
  'mkfs.fat', 'mkfs.ntfs', 'mke2fs', 'mkswap', 'fdisk', 'sfdisk', 'cfdisk', 'gdisk',
  'sgdisk', 'parted', 'wipefs', 'blkdiscard', 'hdparm', 'cryptsetup', 'lvremove',
  'vgremove', 'pvremove', 'swapoff', 'swapon',
]
match = ['mkfs.ext4 /dev/sda1', 'wipefs -a /dev/sda']
not_match = ['mkdir fs']

[[rule]]
name = 'raw-device'
decision = 'deny'
reason = 'it writes to a device'
program = ['dd', 'tee', 'cp', 'mv', 'shred', 'truncate', 'install', 'rsync']
with = [
  
  '^(of=|--?[a-z-]*=)?/+dev/(?!null$|zero$|random$|urandom$|stdin$|stdout$|stderr$|fd/|tty$|full$|shm/).',
]
match = ['dd if=/dev/zero of=/dev/sda', 'shred /dev/nvme0n1']
not_match = ['dd if=a of=/dev/null', 'dd if=/dev/zero of=a count=1', 'cp a dev/b']

[[rule]]
name = 'remove-system'
decision = 'deny'
reason = 'it removes a folder of the system or a home with all below'
program = 'rm'
with = [
  
  '^-[a-zA-Z]*[rR]|^--r(e(c(u(r(s(i(v(e)?)?)?)?)?)?)?)?$|^--no-p(r(e(s(e(r(v(e(-(r(o(o(t)?)?)?)?)?)?)?)?)?)?)?)?$',
  '^(/+\.?|~[a-z0-9_-]*)(/*\*?|/+\.?/*)$|^/+(bin|boot|dev|etc|home|lib|lib32|lib64|libx32|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|Applications|Library|System|Users|Volumes)(/+(bin|lib|local|share|sbin|[*.]))?/*\*?$|^/+(home|Users)/+[^/]+/*\*?$|^\$\{?HOME\}?/*\*?$',
]
match = [
  'rm -rf /', 'rm -fr /*', 'rm -r -f ~', 'rm --recursive --force /etc',
  'rm -rf --no-preserve-root /', 'rm -Rf //', 'rm -rf /home/me', 'rm -rf /usr/lib',
  'rm --rec /',
]
not_match = [
  'rm -rf build', 'rm -rf ./', 'rm file', 'rm /', 'rm -rf /tmp/cuervo-test',
  'rm -rf /home/me/project/dist',
]

[[rule]]
name = 'open-system'
decision = 'deny'
reason = 'it changes the rights of a folder of the system and all below'
program = ['chmod', 'chown', 'chgrp']
with = [
  '^-[a-zA-Z]*R|^--rec',
  '^(/+|~)/*\*?$|^/+(bin|boot|dev|etc|home|lib|lib64|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library|Users)/*\*?$',
]
match = ['chmod -R 777 /', 'chown -R me /etc']
not_match = ['chmod -R 755 src', 'chmod 644 /']

[[rule]]
name = 'kill-everything'
decision = 'deny'
reason = 'it ends every process'
program = 'kill'
with = ['^-1$|^1$']
without = ['^-(l|L|-list|-help)$']
match = ['kill -9 -1', 'kill -9 1']
not_match = ['kill 1234', 'kill -9 1234', 'kill -l 1']

[[rule]]
name = 'find-removes-system'
decision = 'deny'
reason = 'it removes what lies below a folder of the system'
program = 'find'
with = [
  '^-delete$',
  '^(/+|~)$|^/+(bin|boot|dev|etc|home|lib|lib64|opt|root|sbin|srv|sys|usr|var|Users)/*$',
]
match = ['find / -delete', 'find /etc -name x -delete']
not_match = ['find . -delete', 'find /']

[[rule]]
name = 'ls'
decision = 'allow'
reason = 'lists files'
program = ['ls', 'dir', 'vdir']
flags = '''
-NUM -a -A -b -B -c -C -d -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S
-t -u -U -v -x -X -Z -1 --all --almost-all --author --escape --ignore-backups --directory
--dired --file-type --no-group --human-readable --si --dereference-command-line --inode
--kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars
--show-control-chars --quote-name --reverse --recursive --size --full-time
--group-directories-first --zero --context --help --version'''
optional = '--color --classify --hyperlink'
pattern_options = '-I --ignore --hide'
text_options = '''
-w -T -D --width --tabsize --block-size --format --indicator-style --quoting-style --sort
--time --time-style'''
operands = ['path...']
match = ['ls', 'ls -la src', 'ls -I "*.o" --color=never', '/usr/bin/ls', 'ls -- -x']
not_match = [
  'ls /etc', 'ls ..', 'ls ~', './ls', '/tmp/ls', 'ls --recur', 'ls .env', 'FOO=1 ls',
]

[[rule]]
name = 'nl'
decision = 'allow'
reason = 'prints files with line numbers'
program = 'nl'
flags = '-p --no-renumber --help --version'
text_options = '''
-b -d -f -h -i -l -n -s -v -w --body-numbering --number-format --number-separator
--number-width --starting-line-number --line-increment'''
operands = ['path...']
match = ['nl a', 'nl -ba a']
not_match = ['nl /etc/passwd', 'nl --body=a a']

[[rule]]
name = 'cat'
decision = 'allow'
reason = 'prints files'
program = ['cat', 'tac']
flags = '''
-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number
--squeeze-blank --show-tabs --show-nonprinting --help --version'''
operands = ['path...']
match = ['cat README.md', 'cat -n a b', 'tac log']
not_match = [
  'cat /etc/passwd', 'cat .env', 'cat ../a', 'cat keys/server.pem', 'cat a/../../b',
  'cat file:///etc/passwd', 'cat .e*', 'cat @args',
  'cat .git//config', 'cat .git/./config', 'cat a/.git/././/hooks/x',
]

[[rule]]
name = 'head-tail'
decision = 'allow'
reason = 'prints the beginning or end of files'
program = ['head', 'tail']
flags = '-NUM -q -v -z --quiet --silent --verbose --zero-terminated --help --version'
text_options = '-n -c --lines --bytes'
operands = ['path...']
match = ['head -n 20 a.txt', 'tail -5 a b', 'head -c100 a', 'tail --lines=3 a']
not_match = ['tail -f a', 'head /etc/shadow', 'head --line=3 a', 'tail -n 1 ~/.bashrc']

[[rule]]
name = 'wc'
decision = 'allow'
reason = 'counts'
program = 'wc'
flags = '''
-c -m -l -L -w --bytes --chars --lines --max-line-length --words --help --version'''
text_options = '--total'
operands = ['path...']
match = ['wc -l a b']
not_match = ['wc --files0-from=a', 'wc /etc/passwd']

[[rule]]
name = 'grep'
decision = 'allow'
reason = 'searches in files'
program = ['grep', 'egrep', 'fgrep']
flags = '''
-NUM -E -F -G -P -i -y -v -w -x -c -l -L -n -H -h -o -q -s -r -R -a -b -I -T -U -z -Z
--extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case
--no-ignore-case --invert-match --word-regexp --line-regexp --count --files-with-matches
--files-without-match --line-number --with-filename --no-filename --only-matching --quiet
--silent --no-messages --recursive --dereference-recursive --text --byte-offset
--initial-tab --null --null-data --line-buffered --help --version -V'''
optional = '--color --colour'
pattern_options = '-e --regexp --include --exclude --exclude-dir'
text_options = '''
-A -B -C -m -d -D --after-context --before-context --context --max-count --binary-files
--directories --devices --label --group-separator'''
path_options = '-f --file --exclude-from'
pattern_given_by = '-e -f --regexp --file'
operands = ['pattern', 'path...']
match = [
  'grep -rn TODO src', 'grep -e a -e b file', 'grep -A3 "a b" x.txt',
  'grep --include="*.ts" -r "x/y" .', 'grep /api/users src/routes.ts',
]
not_match = [
  'grep root /etc/passwd', 'grep -e root /etc/passwd', 'grep -f /etc/passwd x',
  'grep -f../x y', 'grep -r x ~', 'grep --fil=/etc/passwd x', 'grep x .env',
  'grep -re x /',
]

[[rule]]
name = 'rg'
decision = 'allow'
reason = 'searches in files'
program = ['rg', 'ripgrep']
flags = '''
-NUM -i -S -s -v -w -x -c -l -n -N -H -I -o -q -F -P -U -a -u -. -0 -p -h -V -L
--ignore-case --smart-case --case-sensitive --invert-match --word-regexp --line-regexp
--count --count-matches --files-with-matches --files-without-match --line-number
--no-line-number --with-filename --no-filename --only-matching --quiet --fixed-strings
--no-fixed-strings --pcre2 --multiline --multiline-dotall --text --unrestricted --hidden
--no-hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-dot
--no-ignore-global --ignore --null --null-data --pretty --vimgrep --json --heading
--no-heading --column --no-column --byte-offset --trim --stats --files --type-list --crlf
--no-messages --no-config --one-file-system --passthru --glob-case-insensitive
--sort-files --follow --binary --no-binary --line-buffered --block-buffered --no-unicode
--no-mmap --mmap --include-zero --max-columns-preview --debug --trace --help --version'''
pattern_options = '-e -g -r --regexp --glob --iglob --replace'
text_options = '''
-A -B -C -m -t -T -M -d -j -E --after-context --before-context --context --max-count
--type --type-not --max-columns --max-depth --maxdepth --threads --encoding --color
--colors --sort --sortr --context-separator --field-match-separator
--field-context-separator --path-separator --engine --max-filesize --type-add --type-clear
--regex-size-limit --dfa-size-limit'''
path_options = '-f --file --ignore-file'
pattern_given_by = '-e -f --regexp --file --files --type-list'
operands = ['pattern', 'path...']
match = [
  'rg TODO', 'rg -n "a|b" src -g "*.ts"', 'rg --files src', 'rg -C2 -e x', 'rg -uuu foo',
]
not_match = [
  'rg --pre cat x', 'rg --pre=./run x', 'rg -z x', 'rg --search-zip x',
  'rg --hostname-bin ./x y', 'rg x /etc', 'rg --files /', 'rg -nz x', 'rg --files ~',
  'rg -f /etc/passwd x', 'rg --pre-glob "*" x',
]

[[rule]]
name = 'find'
decision = 'allow'
reason = 'lists files by what they are'
program = 'find'
style = 'words'
flags = '''
-H -L -P -print -print0 -ls -empty -mount -xdev -depth -d -follow -noleaf -daystart -o -a
-or -and -not -prune -true -false -readable -writable -executable -nouser -nogroup -quit
-warn -nowarn -ignore_readdir_race -noignore_readdir_race -O0 -O1 -O2 -O3 ( ) ! , --help
--version -help -version'''
pattern_options = '-path -ipath -wholename -iwholename -regex -iregex'
text_options = '''
-name -iname -lname -ilname -regextype
-type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -used -maxdepth -mindepth -perm
-user -group -uid -gid -links -inum -fstype -printf -newermt'''
path_options = '-newer -anewer -cnewer -neweraa -newerma -newermm -samefile'
operands = ['path...']
match = [
  'find . -name "*.ts" -type f', 'find src ( -name a -o -name b ) -print0',
  'find . -maxdepth 2 -not -path "./node_modules/*"', "find . -not -path './.git/*'",
]
not_match = [
  'find . -exec rm {} ;', 'find . -execdir ls ;', 'find . -ok ls ;', 'find . -okdir ls ;',
  'find . -delete', 'find . -fprint x', 'find . -fprint0 x', 'find . -fprintf x %p',
  'find . -fls x', 'find /', 'find ..', 'find . -files0-from x',
  'find . -newer /etc/passwd', 'find . -name .env', 'find . -path ./.env',
  'find . -name x -path /y -delete',
]

[[rule]]
name = 'fd'
decision = 'allow'
reason = 'lists files by name'
program = ['fd', 'fdfind']
flags = '''
-H -I -u -s -i -g -F -a -0 -L -p -1 -q -h -V --hidden --no-ignore --no-ignore-vcs
--unrestricted --case-sensitive --ignore-case --glob --fixed-strings --absolute-path
--print0 --follow --full-path --help --version --one-file-system'''
pattern_options = '-E --exclude'
text_options = '''
-d -t -e -S -c -j --max-depth --min-depth --exact-depth --type --extension --size --color
--threads --max-results --changed-within --changed-before'''
operands = ['pattern', 'path...']
match = ['fd -e ts config src', 'fd']
not_match = [
  'fd -x rm', 'fd -X rm', 'fd --exec rm', 'fd --exec-batch rm', 'fd -e ts -x cat',
  'fd x /', 'fd --base-directory / x',
]

[[rule]]
name = 'tree'
decision = 'allow'
reason = 'draws folders'
program = 'tree'
style = 'words'
flags = '''
-a -d -l -f -x -q -N -Q -p -u -g -s -h -D -F -i -A -S -n -C -J -X -v -t -c -U -r
--noreport --du --si --inodes --device --dirsfirst --filesfirst --prune --gitignore
--matchdirs --ignore-case --info --help --version'''
pattern_options = '-P -I'
text_options = '-L --filelimit --charset --timefmt --sort'
operands = ['path...']
match = ['tree -L 2 -I node_modules', 'tree src']
not_match = [
  'tree -o out.txt', 'tree --fromfile a', 'tree /', 'tree -R -L 1 -H .', 'tree ..',
  'tree -Lo 2 x',
]

[[rule]]
name = 'sort'
decision = 'allow'
reason = 'sorts lines'
program = 'sort'
flags = '''
-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z --ignore-leading-blanks
--dictionary-order --ignore-case --ignore-nonprinting --general-numeric-sort --month-sort
--human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --merge
--stable --unique --zero-terminated --debug --help --version'''
optional = '--check'
pattern_options = '-t --field-separator'
text_options = '-k --key --sort --parallel -S --buffer-size --batch-size'
operands = ['path...']
match = ['sort -u a', 'sort -t/ -k2,2nr a', 'sort -rn']
not_match = [
  'sort -o a b', 'sort --output=a b', 'sort --outp a b', 'sort --compress-program=./x a',
  'sort --comp ./x a', 'sort -T /tmp a', 'sort -uo a b', 'sort --files0-from=a',
  'sort --random-source=/etc/passwd a', 'sort a -oa',
]

[[rule]]
name = 'uniq'
decision = 'allow'
reason = 'drops repeated lines'
program = 'uniq'
flags = '''
-c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated --help
--version'''
optional = '--all-repeated --group'
text_options = '-f -s -w --skip-fields --skip-chars --check-chars'
operands = ['path']
match = ['uniq -c', 'uniq a']
not_match = ['uniq a b', 'uniq -c a b', 'uniq /etc/passwd']

[[rule]]
name = 'cut'
decision = 'allow'
reason = 'takes columns'
program = 'cut'
flags = '-n -s -z --complement --only-delimited --zero-terminated --help --version'
pattern_options = '-d --delimiter --output-delimiter'
text_options = '-b -c -f --bytes --characters --fields'
operands = ['path...']
match = ['cut -d: -f1 a', 'cut -d / -f 2-']
not_match = ['cut -d: -f1 /etc/passwd', 'cut --output-d=x a']

[[rule]]
name = 'tr'
decision = 'allow'
reason = 'replaces characters of its input'
program = 'tr'
flags = '''
-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1 --help --version'''
operands = ['pattern', 'pattern']
match = ['tr a-z A-Z', "tr -d '\\n'", 'tr / _']
not_match = ['tr a b c', 'tr --del a']

[[rule]]
name = 'paste'
decision = 'allow'
reason = 'puts lines side by side'
program = 'paste'
flags = '-s -z --serial --zero-terminated --help --version'
pattern_options = '-d --delimiters'
operands = ['path...']
match = ['paste -d, a b', 'paste -s -d / a']
not_match = ['paste a /etc/passwd', 'paste --delim=x a']

[[rule]]
name = 'column'
decision = 'allow'
reason = 'lays out lines'
program = 'column'
flags = '-t -x -e --table --fillrows --help --version'
pattern_options = '-s --separator'
text_options = '-c -o -N -l --output-width --output-separator --table-columns'
operands = ['path...']
match = ['column -t a', 'column -s, -t a']
not_match = ['column -t /etc/passwd', 'column -d /etc/passwd', 'column --tab a']

[[rule]]
name = 'columns'
decision = 'allow'
reason = 'lays out lines'
program = ['fold', 'fmt', 'expand', 'unexpand', 'rev']
flags = '''
-s -z -b -w -t -x -n -c -u --serial --zero-terminated --bytes --spaces --initial --table
--fillrows --help --version'''
text_options = '--width --tabs'
operands = ['path...']
match = ['rev a', 'fold -w 80 a']
not_match = ['rev /etc/passwd', 'rev --foo a', 'fmt -w 80 ../a']

[[rule]]
name = 'diff'
decision = 'allow'
reason = 'compares files'
program = ['diff', 'colordiff']
flags = '''
-NUM -q -s -c -u -e -n -y -a -b -B -d -E -H -i -N -r -t -T -v -w -Z -p --brief
--report-identical-files --ed --rcs --side-by-side --left-column --suppress-common-lines
--show-c-function --expand-tabs --initial-tab --suppress-blank-empty --recursive
--no-dereference --new-file --unidirectional-new-file --ignore-file-name-case
--ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change
--ignore-all-space --ignore-blank-lines --text --strip-trailing-cr --minimal
--speed-large-files --help --version --normal'''
optional = '--color --context --unified'
pattern_options = '-I -F -x --ignore-matching-lines --show-function-line --exclude'
text_options = '-U -C -W -L --label --width --tabsize --horizon-lines'
path_options = '-X -S --exclude-from --from-file --to-file --starting-file'
operands = ['path', 'path']
match = ['diff -u a b', 'diff -rq src lib', 'diff --color=never -U3 a b']
not_match = [
  'diff a /etc/passwd', 'diff -l a b', 'diff --paginate a b',
  'diff --from-file=/etc/passwd a', 'diff a ../b',
]

[[rule]]
name = 'cmp'
decision = 'allow'
reason = 'compares files'
program = 'cmp'
flags = '-b -l -s --print-bytes --verbose --quiet --silent --help --version'
text_options = '-i -n --ignore-initial --bytes'
operands = ['path', 'path', '/[0-9]+/...']
match = ['cmp a b']
not_match = ['cmp a /dev/sda', 'cmp a b /etc/passwd']

[[rule]]
name = 'comm-join'
decision = 'allow'
reason = 'compares sorted files'
program = ['comm', 'join']
flags = '''
-1 -2 -3 -i -z --check-order --nocheck-order --total --header --ignore-case
--zero-terminated --help --version'''
pattern_options = '-t --output-delimiter'
text_options = '-a -e -j -o -v'
operands = ['path', 'path']
match = ['comm -12 a b', 'join -t , a b']
not_match = ['comm a b c', 'comm a ~/b']

[[rule]]
name = 'stat'
decision = 'allow'
reason = 'shows what a file is'
program = 'stat'
flags = '-L -f -t -x -r -s -n -q --dereference --file-system --terse --help --version'
pattern_options = '-c --format --printf'
operands = ['path...']
match = ['stat -c %s a', 'stat src']
not_match = ['stat /etc', 'stat ~']

[[rule]]
name = 'file'
decision = 'allow'
reason = 'tells the kind of a file'
program = 'file'
flags = '''
-b -h -i -I -k -L -N -n -0 -r -v --brief --mime --mime-type --mime-encoding --keep-going
--dereference --no-dereference --no-buffer --no-pad --print0 --raw --extension --help
--version'''
pattern_options = '-F --separator'
text_options = '-e -P --exclude --parameter'
operands = ['path...']
match = ['file -b a.png', 'file --mime-type a b']
not_match = [
  'file -C -m magic', 'file -m ./magic a', 'file -f list', 'file -z a.gz',
  'file -s /dev/sda', 'file /etc/passwd', 'file --files-from a', 'file --comp',
]

[[rule]]
name = 'disk-use'
decision = 'allow'
reason = 'tells the room that files take'
program = 'du'
flags = '''
-0 -a -A -b -c -D -h -H -k -l -L -m -P -S -s -x --null --all --apparent-size --bytes
--total --dereference-args --human-readable --inodes --count-links --dereference
--no-dereference --separate-dirs --si --summarize --one-file-system --help --version'''
optional = '--time'
pattern_options = '--exclude'
text_options = '-B -d -t --block-size --max-depth --threshold --time-style'
path_options = '-X --exclude-from'
operands = ['path...']
match = ['du -sh src', 'du -h -d 1']
not_match = ['du -sh /', 'du --files0-from=a', 'du -sh ~']

[[rule]]
name = 'disk-free'
decision = 'allow'
reason = 'tells the room that is left'
program = 'df'
flags = '''
-a -h -H -i -k -l -P -T -m --all --human-readable --si --inodes --local --no-sync
--portability --print-type --total --help --version'''
text_options = '-B -t -x --block-size --type --exclude-type'
optional = '--output'
operands = ['path...']
match = ['df -h', 'df -h .']
not_match = ['df --sync', 'df /']

[[rule]]
name = 'print'
decision = 'allow'
reason = 'prints its arguments'
program = ['echo', 'printf']
style = 'plain'
operands = ['text...']
without = ['^--?v$']
match = ['echo hello', 'printf "%s\n" a', 'echo -n x', 'echo "a; b"']
not_match = ['echo /etc/passwd', 'echo ~', 'printf -v x y', 'echo .env']

[[rule]]
name = 'no-op'
decision = 'allow'
reason = 'does nothing'
program = ['true', 'false', ':']
style = 'plain'
operands = ['text...']
match = ['true', 'false']
not_match = ['truey']

[[rule]]
name = 'where'
decision = 'allow'
reason = 'tells the folder'
program = 'pwd'
flags = '-L -P --logical --physical --help --version'
match = ['pwd', 'pwd -P']
not_match = ['pwd a']

[[rule]]
name = 'test'
decision = 'allow'
reason = 'asks about files and texts'
program = ['test', '[']
style = 'words'
flags = '''
-a -o = == != -eq -ne -lt -le -gt -ge -nt -ot -ef -z -n -b -c -d -e -f -g -G -h -k -L -O
-p -r -s -S -t -u -w -x ! ( ) ]'''
operands = ['text...']
match = ['test -f package.json', '[ -d src ]', '[ a = b ]']
not_match = ['test -f /etc/passwd', '[ -f ~/.ssh/id_rsa ]', 'test -f .env']

[[rule]]
name = 'path-text'
decision = 'allow'
reason = 'takes paths apart'
program = ['basename', 'dirname', 'realpath', 'readlink']
flags = '''
-a -z -e -f -m -n -L -P -q -s -v --multiple --zero --canonicalize --canonicalize-existing
--canonicalize-missing --no-newline --logical --physical --quiet --silent --strip
--no-symlinks --verbose --help --version'''
text_options = '--suffix'
operands = ['path...']
match = ['basename src/a.ts .ts', 'realpath -e a', 'readlink -f a']
not_match = ['readlink -f /etc/alternatives/x', 'realpath ..', 'realpath --relative-to=/ a']

[[rule]]
name = 'checksum'
decision = 'allow'
reason = 'computes checksums of files'
program = [
  'md5sum', 'sha1sum', 'sha224sum', 'sha256sum', 'sha384sum', 'sha512sum', 'b2sum',
  'cksum', 'sum', 'md5', 'shasum',
]
flags = '-b -t -z -r -s --binary --text --tag --zero --help --version'
text_options = '-a -l --algorithm --length'
operands = ['path...']
match = ['sha256sum a b', 'shasum -a 256 a']
not_match = [
  'sha256sum -c a', 'sha256sum --check a', 'md5sum /etc/passwd', 'sha256sum --chec a',
]

[[rule]]
name = 'dump'
decision = 'allow'
reason = 'shows bytes'
program = ['od', 'hexdump', 'hd', 'strings']
flags = '''
-a -b -c -d -o -s -x -C -v -h -f -p -u -i -e -E --canonical --traditional
--output-duplicates --no-squeezing --help --version'''
text_options = '''
-A -t -j -N -w -n -g -l --address-radix --format --skip-bytes --read-bytes --length --skip
--bytes'''
operands = ['path']
match = ['od -c a', 'hexdump -C a', 'strings a']
not_match = ['od a b', 'hexdump -f fmt /x', 'strings @a', 'od /etc/passwd']

[[rule]]
name = 'xxd'
decision = 'allow'
reason = 'shows bytes'
program = 'xxd'
style = 'words'
flags = '''
-a -b -e -i -p -u -E -r -h -v -ps -plain -postscript -bits -autoskip -include -revert'''
text_options = '-c -cols -g -groupsize -l -len -s -seek -o -R'
operands = ['path']
match = ['xxd a', 'xxd -l 64 a']
not_match = ['xxd a b', 'xxd -r a b', 'xxd /etc/passwd']

[[rule]]
name = 'base'
decision = 'allow'
reason = 'writes bytes as text'
program = ['base64', 'base32']
flags = '-d -D -i --decode --ignore-garbage --help --version'
text_options = '-w -b --wrap --break'
operands = ['path']
match = ['base64 a', 'base64 -d a', 'base64 -w0 a']
not_match = ['base64 -o b a', 'base64 --output b', 'base64 /etc/passwd', 'base64 .env']

[[rule]]
name = 'numbers'
decision = 'allow'
reason = 'computes numbers'
program = ['seq', 'expr', 'factor']
style = 'plain'
operands = ['text...']
without = ['^/']
match = ['seq 1 5', 'expr 1 + 2']
not_match = ['expr /etc/passwd']

[[rule]]
name = 'shuffle'
decision = 'allow'
reason = 'shuffles lines'
program = 'shuf'
flags = '-e -r -z --echo --repeat --zero-terminated --help --version'
text_options = '-i -n --input-range --head-count'
operands = ['path...']
match = ['shuf -n 1 a']
not_match = ['shuf -o b a', 'shuf --output=b a', 'shuf --random-source=/dev/sda a']

[[rule]]
name = 'sleep'
decision = 'allow'
reason = 'waits'
program = 'sleep'
operands = ['/[0-9]{1,2}(\.[0-9]+)?s?/']
match = ['sleep 1', 'sleep 0.5']
not_match = ['sleep infinity', 'sleep 1 2', 'sleep 1d']

[[rule]]
name = 'date'
decision = 'allow'
reason = 'tells the time'
program = 'date'
flags = '-R -u -j --rfc-email --utc --universal --help --version'
optional = '-I --iso-8601 --rfc-3339'
text_options = '-d --date'
path_options = '-r --reference'
operands = ['/\+.*/']
match = ['date', 'date +%Y-%m-%d', 'date -u -Iseconds', 'date -d "2 days ago" +%s']
not_match = [
  'date -s 12:00', 'date --set=12:00', 'date 010112002026', 'date --se 12:00',
  'date -f /etc/passwd', 'date -us 12:00', 'date 1230', 'date +%s 1230',
]

[[rule]]
name = 'calendar'
decision = 'allow'
reason = 'tells the days'
program = ['cal', 'ncal']
flags = '-1 -3 -y -m -s -j -h -b -w'
operands = ['/[0-9]{4}|[0-9]{1,2}/', '/[0-9]{4}/']
match = ['cal', 'cal 2026', 'cal -3', 'cal 11 2026']
not_match = ['cal -f x', 'cal /x']

[[rule]]
name = 'machine'
decision = 'allow'
reason = 'tells about the machine and who uses it'
program = [
  'uname', 'whoami', 'id', 'groups', 'nproc', 'arch', 'tty', 'logname', 'uptime', 'free',
  'lscpu', 'lsblk', 'locale', 'getconf', 'vmstat', 'users', 'w',
]
flags = '''
-a -s -n -r -v -m -p -i -o -u -g -G -z -h -b -k -t -w -f -l -q --all --kernel-name
--nodename --kernel-release --kernel-version --machine --processor --hardware-platform
--operating-system --user --group --groups --name --real --human --mega --giga --pretty
--since --ignore --help --version'''
operands = ['/[A-Za-z_][A-Za-z0-9_-]*/']
without = ['^[^-].*$']
match = ['uname -a', 'id', 'nproc', 'whoami', 'free -h', 'uptime']
not_match = ['hostname', 'id root', 'uname --al']

[[rule]]
name = 'hostname'
decision = 'allow'
reason = 'tells the name of the machine'
program = 'hostname'
args = []
match = ['hostname']
not_match = ['hostname evil', 'hostname -F a', 'hostname -b']

[[rule]]
name = 'which'
decision = 'allow'
reason = 'finds programs'
program = ['which', 'whereis']
flags = '-a -b -m -s --all --help --version'
operands = ['/[A-Za-z0-9][A-Za-z0-9._+-]*/...']
match = ['which node', 'which -a python3 node']
not_match = ['which ./x', 'which /bin/ls', 'whereis -B / -f x']

[[rule]]
name = 'processes'
decision = 'allow'
reason = 'lists processes'
program = 'ps'
style = 'plain'
operands = ['/-e|-?(aux|axu|ax|a|u|x|auxf|ef|ely|A|f|F|l|efl|eF|Af)/']
match = ['ps', 'ps aux', 'ps -ef']
not_match = ['ps e', 'ps auxe', 'ps eww', 'ps -o environ', 'ps auxww -o x']

[[rule]]
name = 'jq'
decision = 'allow'
reason = 'takes JSON apart'
program = 'jq'
flags = '''
-r -c -s -n -e -S -C -M -a -j -R --raw-output --compact-output --slurp --null-input
--exit-status --sort-keys --color-output --monochrome-output --ascii-output --join-output
--raw-input --tab --seq --stream -h --help -V --version'''
text_options = '--indent'
operands = ['pattern', 'path...']
without = [
  
  '\b(import|include|input_filename|env|modulemeta|getpath_file|debug|\$__loc__|get_search_list|halt_error|ENV)\b',
]
match = ['jq . package.json', 'jq -r ".scripts | keys[]" package.json']
not_match = [
  'jq -f x.jq a', 'jq --from-file x a', 'jq . /etc/a.json', 'jq --slurpfile a /x .',
  'jq --rawfile a b .', 'jq -L /x . a', 'jq -n env', 'jq -n $ENV', 'jq -n "$ ENV"',
  'jq -n "import \"a\" as a; 1"', 'jq --arg a b . x', 'jq . .env', 'jq -rf x.jq a',
]

[[rule]]
name = 'sed-print'
decision = 'allow'
reason = 'prints lines of files'
program = ['sed', 'gsed']
flags = '''
-n -E -r -s -u -z --quiet --silent --regexp-extended --null-data --separate --unbuffered
--posix --sandbox'''
requires = '-n --quiet --silent'
operands = [
  
  '/(?:[0-9]+|\$|\/(?:[^\/\\\n]|\\[.*+?(){}|\[\]^$\/wWsSbB])+\/I?)(?:,(?:(?:[0-9]+|\$|\/(?:[^\/\\\n]|\\[.*+?(){}|\[\]^$\/wWsSbB])+\/I?)|\+[0-9]+))? ?(?:p|=)(?:; ?(?:[0-9]+|\$|\/(?:[^\/\\\n]|\\[.*+?(){}|\[\]^$\/wWsSbB])+\/I?)(?:,(?:(?:[0-9]+|\$|\/(?:[^\/\\\n]|\\[.*+?(){}|\[\]^$\/wWsSbB])+\/I?)|\+[0-9]+))? ?(?:p|=))*/',
  'path...',
]
match = [
  'sed -n 5,10p a', "sed -n '$p' a", "sed -n '/TODO/p' a", "sed -n '1p;3p' a",
  "sed -n '/^## [A-Z]/p' a", "sed -n '/a/,/b/p' a", "sed -n '5,/x/p' a", "sed -n '/a/,+3p' a",
]
not_match = [
  'sed -i s/a/b/ a', 'sed 1e a', "sed -n '1w out' a", "sed -n 'e ls' a", 'sed -ni 1p a',
  'sed -n -i 1p a', 'sed -n -f x a', 'sed -n 1p /etc/passwd', 'sed s/a/b/e a',
  "sed -n 's/a/b/w out' a", 'sed --in-place s/a/b/ a', 'sed 5,10p a', 'sed -n 5,10p ../a',
  'sed -nf x a', 'sed -n --expression=1e a', "sed -n '1p;1e' a", "sed -n '/a/w x' a",
  "sed -n '/a/e' a", "sed -n '/a/p;/b/r x' a", "sed -n '/a/{p}' a", "sed -n '/a/s/b/id/ep' a",
]

[[rule]]
name = 'tar-list'
decision = 'allow'
reason = 'lists an archive'
program = ['tar', 'bsdtar']
style = 'plain'
operands = ['/-?t[vzjJ]*f|-[vzjJ]*tv?f|--list/', 'path']
without = [':']
match = ['tar -tf a.tar', 'tar tzf a.tgz', 'tar -tvf a.tar']
not_match = [
  'tar -xf a.tar', 'tar --checkpoint=1 --checkpoint-action=exec=sh -tf a',
  'tar -tf a --checkpoint-action=exec=sh', 'tar -tf host:a', 'tar -I ./x -tf a',
  'tar -tf /a.tar', 'tar -tf ../a.tar', 'tar -czf a.tgz src', 'tar -tf a --to-command=x',
]

[[rule]]
name = 'zip-list'
decision = 'allow'
reason = 'lists an archive'
program = ['unzip', 'zipinfo']
flags = '-l -v -Z -1 -h -t -z -q'
requires = '-l -v -Z -1 -t -z'
operands = ['path']
match = ['unzip -l a.zip', 'zipinfo -1 a.zip']
not_match = [
  'unzip a.zip', 'unzip -o a.zip', 'unzip -l /a.zip', 'unzip -p a.zip',
  'unzip -l a.zip -d /',
]

[[rule]]
name = 'version-query'
decision = 'allow'
reason = 'tells its version'
program = [
  'node', 'npm', 'npx', 'python', 'python2', 'python3', 'pip', 'pip3', 'git', 'gcc', 'g++',
  'cc', 'c++', 'clang', 'clang++', 'make', 'cmake', 'ninja', 'ruby', 'perl', 'php', 'java',
  'javac', 'deno', 'bun', 'bash', 'zsh', 'sh', 'rg', 'jq', 'curl', 'wget', 'ssh', 'docker',
  'podman', 'kubectl', 'tar', 'sed', 'awk', 'gawk', 'grep', 'find', 'go', 'sqlite3',
  'psql', 'bwrap', 'socat', 'tmux', 'vim', 'less', 'openssl', 'ffmpeg',
]
args = ['--version']
match = ['node --version', 'git --version', 'bash --version']
not_match = [
  'node --version -e 1', './node --version', 'yarn --version', 'cargo --version',
  'node -e 1',
]

[[rule]]
name = 'version-flag'
decision = 'allow'
reason = 'tells its version'
program = ['node', 'npm', 'npx', 'php', 'ruby', 'go', 'deno', 'bun', 'java']
args = ['-v']
match = ['node -v', 'npm -v']
not_match = ['node -v -e 1', 'node -p 1', 'npm -v run']

[[rule]]
name = 'version-capital'
decision = 'allow'
reason = 'tells its version'
program = [
  'python', 'python2', 'python3', 'pip', 'pip3', 'ssh', 'bash', 'tmux', 'curl', 'wget',
  'perl', 'cmake', 'awk', 'gawk',
]
args = ['-V']
match = ['python3 -V']
not_match = ['make -V', 'python3 -V a.py', 'python3 -c 1', 'python3']

[[rule]]
name = 'version-word'
decision = 'allow'
reason = 'tells its version'
program = ['go', 'npm', 'git']
args = ['version']
match = ['go version', 'git version']
not_match = [
  'go version ./x', 'kubectl version', 'npm version patch', 'go run .',
  'npm version 1.0.0',
]

${gitReaders}

[[rule]]
name = 'network'
decision = 'ask'
reason = 'it talks to the network'
program = [
  'curl', 'wget', 'ssh', 'scp', 'sftp', 'rsync', 'ftp', 'telnet', 'nc', 'ncat', 'netcat',
  'socat', 'ping', 'dig', 'nslookup', 'host', 'whois', 'traceroute', 'aria2c', 'http',
  'https', 'xh', 'httpie', 'lynx', 'w3m', 'gh', 'glab', 'aws', 'gcloud', 'az', 'kubectl',
  'helm', 'terraform', 'docker', 'podman', 'mosh',
]
match = ['curl https://example.com', 'ssh host']
not_match = ['echo curl']

[[rule]]
name = 'runs-code'
decision = 'ask'
reason = 'it runs code that is not looked at here'
program = [
  'node', 'nodejs', 'deno', 'bun', 'tsx', 'ts-node', 'python', 'python2', 'python3',
  'ruby', 'perl', 'php', 'lua', 'Rscript', 'java', 'javac', 'go', 'cargo', 'rustc',
  'rustup', 'npm', 'npx', 'pnpm', 'yarn', 'corepack', 'pip', 'pip3', 'pipx', 'uv', 'uvx',
  'poetry', 'conda', 'gem', 'bundle', 'composer', 'mvn', 'gradle', 'gradlew', 'make',
  'cmake', 'ninja', 'just', 'task', 'bazel', 'meson', 'ctest', 'pytest', 'tox', 'nox',
  'jest', 'vitest', 'mocha', 'tsc', 'eslint', 'prettier', 'biome', 'sh', 'bash', 'dash',
  'zsh', 'ksh', 'fish', 'csh', 'tcsh', 'pwsh', 'awk', 'gawk', 'mawk', 'nawk', 'sed',
  'gsed', 'ed', 'ex', 'vi', 'vim', 'nvim', 'nano', 'emacs', 'less', 'more', 'man', 'most',
  'bat', 'xargs', 'parallel', 'env', 'nice', 'nohup', 'time', 'timeout', 'command',
  'busybox', 'toybox', 'exec', 'eval', 'source', '.', 'setsid', 'stdbuf', 'ionice',
  'watch', 'strace', 'ltrace', 'gdb', 'script', 'expect', 'osascript', 'crontab', 'at',
  'batch', 'entr', 'tmux', 'screen', 'sqlite3', 'psql', 'mysql', 'ssh-agent',
  'docker-compose', 'gcc', 'g++', 'cc', 'c++', 'clang', 'clang++', 'ld',
]
match = ['node -e 1', 'npm run build', 'awk 1 a', 'env ls', 'xargs rm']
not_match = ['echo node']

[[rule]]
name = 'writes'
decision = 'ask'
reason = 'it changes files'
program = [
  'rm', 'rmdir', 'mv', 'cp', 'ln', 'mkdir', 'touch', 'tee', 'truncate', 'dd', 'install',
  'chmod', 'chown', 'chgrp', 'chattr', 'patch', 'split', 'csplit', 'unlink', 'shred',
  'mktemp', 'mkfifo', 'mknod', 'tar', 'zip', 'unzip', 'gzip', 'gunzip', 'bzip2', 'xz',
  'zstd', '7z', 'cpio', 'ar', 'rename',
]
match = ['rm a', 'touch b', 'tar xf a']
not_match = ['echo rm']

[[rule]]
name = 'packages'
decision = 'ask'
reason = 'it installs or removes packages'
program = [
  'apt', 'apt-get', 'aptitude', 'dpkg', 'yum', 'dnf', 'rpm', 'pacman', 'zypper', 'apk',
  'brew', 'port', 'snap', 'flatpak', 'nix', 'nix-env', 'choco', 'winget',
]
match = ['apt-get install x', 'brew install x']
not_match = ['echo apt']

[[rule]]
name = 'system'
decision = 'ask'
reason = 'it changes the state of the system'
program = [
  'kill', 'pkill', 'killall', 'systemctl', 'service', 'launchctl', 'mount', 'umount',
  'modprobe', 'insmod', 'rmmod', 'sysctl', 'iptables', 'nft', 'ufw', 'useradd', 'userdel',
  'usermod', 'groupadd', 'passwd', 'chsh', 'chfn', 'ip', 'ifconfig', 'route', 'crontab',
  'init',
]
match = ['kill 1234', 'systemctl status x']
not_match = ['echo kill']

[[rule]]
name = 'git-changes'
decision = 'ask'
reason = 'it changes the repository, talks to a remote or starts other programs'
program = 'git'
match = ['git commit -m x', 'git push', 'git -c a=b status']
not_match = ['gitk']

[[rule]]
name = 'environment'
decision = 'ask'
reason = 'it shows the environment or history, where secrets may stand'
program = ['printenv', 'set', 'export', 'history', 'declare']
match = ['printenv']
not_match = ['echo printenv']
`;
