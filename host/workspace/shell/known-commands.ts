/** What is known of a command whose effect its options decide. */
export interface KnownCommand {
  readonly effect: 'read-only' | 'write'
  /** Letters of short options that make it do more. A cluster that holds one counts, even as another's argument. */
  readonly short?: string
  /** Long options that make it do more, without `--`; GNU takes any beginning of them, so those count too. */
  readonly long?: readonly string[]
  /** Words that make it do more, as `find` has them. */
  readonly words?: readonly string[]
  /** More operands than this and one of them is written to. */
  readonly operands?: number
  /** `none`: its words are no paths, and are only printed. `pattern`: the first operand is no path. Else all may be. */
  readonly paths?: 'none' | 'pattern'
  /** Words that need not be plain: they are only printed. */
  readonly prints?: boolean
  /** All operands but the last must be regular files, not links or folders. */
  readonly filesOnly?: boolean
  /** A bare `/` among its words is a delimiter. */
  readonly delimiter?: boolean
  /** Whether the words may be these at all. */
  readonly accepts?: (words: readonly string[]) => boolean
}

const reads: KnownCommand = { effect: 'read-only' }
const prints: KnownCommand = { effect: 'read-only', paths: 'none', prints: true }
const noWords: KnownCommand = { effect: 'read-only', paths: 'none', operands: 0 }
const grep: KnownCommand = {
  effect: 'read-only',
  paths: 'pattern',
  short: 'R',
  long: ['dereference-recursive'],
}

/** `-v 'a[$(…)]'` of the builtin runs what is in the brackets. */
const test: KnownCommand = {
  effect: 'read-only',
  accepts: (words) => !words.some((word) => /^-[vR]$/.test(word)),
}

const SAFE_SET = new Set([
  '-e',
  '-u',
  '-o',
  '-eu',
  '-ue',
  '-euo',
  '-eo',
  '-uo',
  'pipefail',
  'errexit',
  'nounset',
])

/** Lines that only print: `sed -n 10,20p`. A script of more can write files and run commands. */
function isPrintingSed(words: readonly string[]): boolean {
  const options = words.filter((word) => word.startsWith('-'))
  const script = words.find((word) => !word.startsWith('-')) ?? ''
  return (
    options.every((word) => /^-[nEru]+$/.test(word) || word === '--quiet' || word === '--silent') &&
    /^(\d+|\$)(,(\d+|\$))?[pq](;(\d+|\$)(,(\d+|\$))?[pq])*$/.test(script)
  )
}

/** The commands that are known; every other one is unknown, and asks. `git` has rules of its own. */
export const KNOWN_COMMANDS: ReadonlyMap<string, KnownCommand> = new Map(
  Object.entries<KnownCommand>({
    ls: reads,
    cat: reads,
    head: reads,
    tail: reads,
    wc: { ...reads, long: ['files0-from'] },
    nl: reads,
    tac: reads,
    rev: reads,
    cut: { ...reads, delimiter: true },
    comm: reads,
    cmp: reads,
    diff: { ...reads, short: 'l', long: ['paginate'] },
    sort: {
      ...reads,
      short: 'oT',
      long: ['output', 'compress-program', 'temporary-directory', 'files0-from'],
      delimiter: true,
    },
    uniq: { ...reads, operands: 1 },
    fold: reads,
    fmt: reads,
    expand: reads,
    unexpand: reads,
    paste: { ...reads, delimiter: true },
    join: { ...reads, delimiter: true },
    column: { ...reads, delimiter: true },
    od: reads,
    hexdump: reads,
    xxd: { ...reads, operands: 1 },
    strings: reads,
    md5sum: reads,
    sha1sum: reads,
    sha256sum: reads,
    sha512sum: reads,
    b2sum: reads,
    cksum: reads,
    sum: reads,
    base64: reads,
    basename: prints,
    dirname: prints,
    realpath: reads,
    readlink: reads,
    stat: reads,
    file: { ...reads, short: 'CzZ', long: ['compile', 'uncompress', 'uncompress-noreport'] },
    du: { ...reads, short: 'LD', long: ['dereference', 'dereference-args', 'files0-from'] },
    df: reads,
    tree: { ...reads, short: 'oRl', long: ['output'] },
    grep,
    egrep: grep,
    fgrep: grep,
    rg: {
      effect: 'read-only',
      paths: 'pattern',
      short: 'Lz',
      long: ['pre', 'pre-glob', 'hostname-bin', 'follow', 'search-zip'],
    },
    find: {
      ...reads,
      words: [
        ...['-exec', '-execdir', '-ok', '-okdir', '-delete', '-follow'],
        ...['-fls', '-fprint', '-fprint0', '-fprintf', '-files0-from'],
      ],
      accepts: (words) => !words.some((word) => /^-[HLPOD]*L/.test(word)),
    },
    fd: { ...grep, short: 'xXL', long: ['exec', 'exec-batch', 'follow'] },
    // A filter may import files from anywhere.
    jq: {
      effect: 'read-only',
      paths: 'pattern',
      accepts: (words) => !words.some((word) => /import|include/.test(word)),
    },
    sed: { effect: 'read-only', paths: 'pattern', accepts: isPrintingSed },
    tr: { effect: 'read-only', paths: 'none' },
    seq: { effect: 'read-only', paths: 'none' },
    echo: prints,
    printf: { ...prints, accepts: (words) => !words.some((word) => word.startsWith('-')) },
    test,
    '[': test,
    pwd: noWords,
    true: prints,
    false: prints,
    ':': prints,
    exit: { effect: 'read-only', paths: 'none', operands: 1 },
    which: { effect: 'read-only', paths: 'none' },
    type: { effect: 'read-only', paths: 'none' },
    command: { effect: 'read-only', paths: 'none', accepts: ([first]) => first === '-v' || first === '-V' },
    set: {
      effect: 'read-only',
      paths: 'none',
      accepts: (words) => words.length > 0 && words.every((word) => SAFE_SET.has(word)),
    },
    whoami: noWords,
    id: { effect: 'read-only', paths: 'none' },
    groups: noWords,
    uname: noWords,
    arch: noWords,
    nproc: noWords,
    uptime: noWords,
    hostname: { ...noWords, short: 'Fb', long: ['file', 'boot'] },
    free: noWords,
    ps: { effect: 'read-only', paths: 'none' },
    printenv: { effect: 'read-only', paths: 'none' },
    sleep: { effect: 'read-only', paths: 'none' },
    date: {
      effect: 'read-only',
      paths: 'none',
      short: 'sfr',
      long: ['set', 'file', 'reference'],
      accepts: (words) => words.every((word) => word.startsWith('-') || word.startsWith('+')),
    },
    mkdir: { effect: 'write', short: 'Z', long: ['context'] },
    touch: { effect: 'write' },
    tee: { effect: 'write' },
    // With links copied as links, or folders moved, a link may lead elsewhere from its new place.
    cp: {
      effect: 'write',
      short: 'rRadPlsSZ',
      long: [
        'recursive',
        'archive',
        'no-dereference',
        'link',
        'symbolic-link',
        'preserve',
        'suffix',
        'context',
      ],
    },
    mv: { effect: 'write', filesOnly: true, short: 'SZ', long: ['suffix', 'context'] },
  }),
)

/** Commands that take away what cannot be got back, or reach beyond files. */
export const DESTRUCTIVE_COMMANDS: ReadonlySet<string> = new Set([
  ...['rm', 'rmdir', 'unlink', 'shred', 'truncate', 'dd', 'wipefs', 'mkfs', 'fdisk', 'parted'],
  ...['kill', 'pkill', 'killall', 'shutdown', 'reboot', 'halt', 'poweroff'],
])

/**
 * Commands that run what they are given: a rule for one of them would allow everything, so a rule covers exactly the
 * line that was seen.
 */
export const RUNNERS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'busybox', 'env', 'xargs', 'sudo', 'doas', 'su', 'pkexec'],
  ...[
    'nohup',
    'nice',
    'ionice',
    'timeout',
    'time',
    'stdbuf',
    'setsid',
    'chroot',
    'unshare',
    'nsenter',
    'script',
  ],
  ...[
    'watch',
    'parallel',
    'eval',
    'exec',
    'source',
    '.',
    'command',
    'builtin',
    'trap',
    'alias',
    'enable',
    'bind',
  ],
  ...[
    'node',
    'nodejs',
    'deno',
    'bun',
    'tsx',
    'python',
    'python2',
    'python3',
    'perl',
    'ruby',
    'php',
    'lua',
    'tclsh',
  ],
  ...[
    'awk',
    'gawk',
    'mawk',
    'nawk',
    'sed',
    'find',
    'fd',
    'rg',
    'sort',
    'vi',
    'vim',
    'nvim',
    'ed',
    'ex',
    'emacs',
    'less',
    'more',
    'man',
  ],
  ...[
    'ssh',
    'scp',
    'rsync',
    'socat',
    'nc',
    'ncat',
    'curl',
    'wget',
    'strace',
    'ltrace',
    'gdb',
    'entr',
    'flock',
  ],
  ...[
    'runuser',
    'systemd-run',
    'crontab',
    'at',
    'batch',
    'osascript',
    'pwsh',
    'export',
    'declare',
    'read',
    'set',
  ],
])

/** Commands whose first word says what they do: a rule covers both, as `git push` and `npm test`. */
export const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set([
  ...[
    'git',
    'npm',
    'pnpm',
    'yarn',
    'npx',
    'pnpx',
    'cargo',
    'go',
    'pip',
    'pip3',
    'uv',
    'poetry',
    'gh',
    'make',
    'just',
  ],
  ...[
    'dotnet',
    'gradle',
    './gradlew',
    'mvn',
    'composer',
    'bundle',
    'rake',
    'brew',
    'apt',
    'apt-get',
    'systemctl',
  ],
  ...['docker-compose', 'kubectl', 'terraform', 'helm'],
])
