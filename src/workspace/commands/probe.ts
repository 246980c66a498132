import type { CommandResult, SandboxStatus } from './command-runner.ts'
import { insideUid } from './profile.ts'

type Unavailable = Extract<SandboxStatus, { available: false }>

/** Printed by the program that looks at the sandbox from inside; shell built-ins but for the last two. */
export const probeScript = `
set -u
while read -r name value rest; do
  case $name in Uid:|CapEff:|NoNewPrivs:|Seccomp:) echo "$name $value";; esac
done < /proc/self/status
processes=0; for entry in /proc/[0-9]*; do processes=$((processes + 1)); done; echo "processes $processes"
{ read -r _; read -r _; while read -r name rest; do echo "interface $name"; done; } < /proc/net/dev
while IFS= read -r -d '' entry; do echo "environment \${entry%%=*}"; done < /proc/1/environ
{ : > /usr/.probe; } 2>/dev/null && echo 'writable /usr'
{ : > /.probe; } 2>/dev/null && echo 'writable /'
{ : > /workspace/probe && rm /workspace/probe; } 2>/dev/null && echo 'workspace writable'
unshare --user true 2>/dev/null && echo 'namespaces open'
echo done
`

/** Each line that must be there, and what is wrong where it is not. */
const needed: ReadonlyArray<readonly [line: string, fault: string]> = [
  ['done', 'the check from inside did not end'],
  [`Uid: ${insideUid}`, 'commands do not run as the user that they should'],
  ['CapEff: 0000000000000000', 'commands have capabilities'],
  ['NoNewPrivs: 1', 'commands could gain privileges'],
  ['Seccomp: 2', 'the system call filter is not on'],
  ['interface lo:', 'the loopback interface is missing'],
  ['workspace writable', 'commands cannot write in the workspace']
]
const forbidden: ReadonlyArray<readonly [line: RegExp, fault: string]> = [
  [/^processes ([1-9]\d+)$/m, 'commands see other processes'],
  [/^interface (?!lo:)/m, 'commands have a network'],
  [/^environment /m, 'commands see an environment of the server'],
  [/^writable /m, 'commands can write outside of the workspace'],
  [/^namespaces open$/m, 'commands can make namespaces']
]

export function judgeProbe (result: CommandResult): SandboxStatus {
  if (result.outcome === 'sandbox_error') return explain(result.reason)
  const said = result.stderr.head.toString().trim()
  if (result.outcome !== 'exited') {
    return { available: false, reason: `The check of the sandbox ended with ${result.outcome}.`, advice: 'Look at the free disk space and the load of this host.' }
  }
  const text = result.stdout.head.toString()
  const lines = new Set(text.split('\n'))
  const faults = [
    ...needed.filter(([line]) => !lines.has(line)).map(([, fault]) => fault),
    ...forbidden.filter(([line]) => line.test(text)).map(([, fault]) => fault)
  ]
  if (faults.length === 0) return { available: true, level: 'full' }
  return {
    available: false,
    reason: `The sandbox does not hold: ${faults.join('; ')}.${said === '' ? '' : ` It said: ${said.slice(0, 300)}`}`,
    advice: 'Use another kernel or container configuration; see the documentation on sandboxing.'
  }
}

/** Why commands would not reach the proxy, though the sandbox holds; null: they do. */
export function judgeNetworkProbe (result: CommandResult): string | null {
  if (result.outcome === 'exited' && result.stdout.head.toString().startsWith('HTTP/1.1 ')) return null
  const said = result.outcome === 'sandbox_error' ? result.reason : result.stderr.head.toString()
  return /Can't find source path/.test(said)
    ? 'The user that commands run as cannot reach the Node that runs this server. Install Node where every user can read it, as in /usr.'
    : `The way to the proxy does not work: ${said.replace(/\s+/g, ' ').trim().slice(0, 300) || result.outcome}`
}

/** What the sandbox is made with, and the packages that bring it. */
export const sandboxPrograms: Readonly<Record<string, string>> = {
  '/usr/bin/prlimit': 'util-linux', '/bin/bash': 'bash', '/usr/bin/env': 'coreutils', '/usr/bin/mkfifo': 'coreutils', '/usr/bin/sleep': 'coreutils'
}

export function explainMissing (program: string): Unavailable {
  return {
    available: false,
    reason: `${program} is not installed.`,
    advice: `Install the package ${sandboxPrograms[program] ?? 'bubblewrap'}, then start the server again.`
  }
}

/** Words of bwrap and what stands behind them; the first that is found counts. */
const known: ReadonlyArray<readonly [said: RegExp, reason: string, advice: string]> = [
  [/ENOENT/, 'bubblewrap, prlimit, bash or mkfifo is not installed.',
    'Install the packages bubblewrap, util-linux, bash and coreutils.'],
  [/spawn .*\bE(PERM|ACCES)\b|chown/, 'The server may not run anything as the user that commands run as.',
    'Run the server as an ordinary user, or as root with the capabilities SETUID, SETGID and CHOWN.'],
  [/max_user_namespaces/, 'This kernel does not let bubblewrap limit user namespaces.',
    'Set user.max_user_namespaces to more than 0, or use a newer kernel.'],
  [/setting up uid map|RTM_NEWADDR/, 'The host restricts user namespaces of programs without privileges (AppArmor).',
    'Load the AppArmor profile bwrap-userns-restrict, or set kernel.apparmor_restrict_unprivileged_userns=0.'],
  [/Creating new namespace failed|No permissions to create|creating new user namespace/i, 'User namespaces are not allowed here, as in a container with the usual seccomp profile.',
    'Give the container a seccomp profile that allows clone, unshare, mount, umount2 and pivot_root (Docker: --security-opt seccomp=FILE, or seccomp=unconfined).'],
  [/Can't mount proc/i, '/proc is masked in this container.',
    'Docker: --security-opt systempaths=unconfined. Kubernetes: procMount: Unmasked with hostUsers: false.'],
  [/Failed to make \/ slave/i, 'The container\'s AppArmor profile denies mounting.',
    'Docker: --security-opt apparmor=unconfined, or a profile of your own that allows mounting.'],
  [/Can't (find source path|mkdir parents)|Can't bind mount/i, 'The user that commands run as cannot reach the workspaces.',
    'Every directory above DATA_DIR needs the x permission for others, or run the server as an ordinary user.']
]

/** Why a sandbox could not be made, and what helps. */
export function explain (said: string): Unavailable {
  const found = known.find(([pattern]) => pattern.test(said))
  if (found !== undefined) return { available: false, reason: found[1], advice: found[2] }
  return {
    available: false,
    reason: `The sandbox could not be made: ${said.replace(/\s+/g, ' ').slice(0, 300)}`,
    advice: 'Try: bwrap --unshare-all --ro-bind / / true, as the user that commands run as.'
  }
}
