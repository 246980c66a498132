import { lstatSync, readlinkSync } from 'node:fs'
import { homeTmpfsBytes, sharedMemoryBytes, temporaryBytes } from '../../limits.ts'
import { workspaceMount } from '../paths.ts'
import type { RelPath } from '../workspace.ts'
import type { CommandLimits } from './command-runner.ts'
import { forwarderFile, networkEnvironment, networkMounts } from './network/forwarder.ts'

/** Who a command is inside. */
export const insideUid = 1000
export const insideGid = 1000
const home = '/home/agent'

const passwd = `root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:${insideUid}:${insideGid}:agent:${home}:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`
const group = `root:x:0:\nagent:x:${insideGid}:\nnogroup:x:65534:\n`

/** A file that is put into the sandbox, read-only. */
export interface SandboxFile { readonly path: string, readonly content: Buffer, readonly executable?: boolean }

export interface Profile {
  /** The workspace on the host. */
  readonly directory: string
  readonly writable: boolean
  readonly cwd: RelPath
  /** Beside the fixed ones. */
  readonly environment: Readonly<Record<string, string>>
  readonly files: readonly SandboxFile[]
  /** Of the host, by the operator's wish: tools that are not in /usr. */
  readonly readOnlyPaths: readonly string[]
  /** What `systemDirectories` found. */
  readonly systemDirectories: readonly string[]
  /** The socket on the host of the proxy that it may reach the network by. Null: it has no network. */
  readonly networkSocket: string | null
}

/** Files that every sandbox has. */
const accountFiles: readonly SandboxFile[] = [
  { path: '/etc/passwd', content: Buffer.from(passwd) },
  { path: '/etc/group', content: Buffer.from(group) }
]

/** What a command may rely on; the host's own environment is no part of it. */
export const fixedEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: home,
  USER: 'agent',
  LOGNAME: 'agent',
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  TMPDIR: '/tmp',
  GIT_CONFIG_NOSYSTEM: '1'
} as const satisfies Record<string, string>

/** Of the host's /etc, what programs cannot do without and what tells nothing about the host. */
const hostFiles = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/ssl/certs', '/etc/localtime']

/** Arguments for what stands beside /usr: links into it on most hosts, directories on others. */
export function systemDirectories (): string[] {
  return ['/bin', '/sbin', '/lib', '/lib64'].flatMap((path) => {
    const entry = lstatSync(path, { throwIfNoEntry: false })
    if (entry === undefined) return []
    return entry.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
  })
}

/** All files of the sandbox, in the order in which `sandboxArguments` wants their handles. */
export function filesOf ({ files, networkSocket }: Profile): readonly SandboxFile[] {
  return [...accountFiles, ...files, ...(networkSocket === null ? [] : [forwarderFile])]
}

/**
 * The arguments of bwrap. Their order matters: it mounts as it reads. `handles` are the numbers under which it finds the
 * files of `filesOf` and the filter.
 */
export function sandboxArguments (profile: Profile, handles: { readonly status: number, readonly files: readonly number[], readonly filter: number }): string[] {
  return [
    '--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--cap-drop', 'ALL',
    '--uid', String(insideUid), '--gid', String(insideGid), '--hostname', 'sandbox',
    '--json-status-fd', String(handles.status),
    '--ro-bind', '/usr', '/usr',
    ...profile.systemDirectories,
    ...[...hostFiles, ...profile.readOnlyPaths].flatMap((path) => ['--ro-bind-try', path, path]),
    '--proc', '/proc', '--dev', '/dev',
    '--size', String(sharedMemoryBytes), '--tmpfs', '/dev/shm',
    '--size', String(temporaryBytes), '--perms', '1777', '--tmpfs', '/tmp',
    '--size', String(homeTmpfsBytes), '--perms', '0700', '--tmpfs', home,
    ...filesOf(profile).flatMap((file, index) => ['--perms', file.executable === true ? '0555' : '0444', '--ro-bind-data', String(handles.files[index] ?? -1), file.path]),
    ...(profile.networkSocket === null ? [] : networkMounts(profile.networkSocket)),
    profile.writable ? '--bind' : '--ro-bind', profile.directory, workspaceMount,
    '--chdir', profile.cwd === '' ? workspaceMount : `${workspaceMount}/${profile.cwd}`,
    '--clearenv',
    ...Object.entries({ ...fixedEnvironment, ...(profile.networkSocket === null ? {} : networkEnvironment), ...profile.environment }).flatMap(([name, value]) => ['--setenv', name, value]),
    '--remount-ro', '/',
    '--seccomp', String(handles.filter)
  ]
}

/** The program that bwrap starts: `argv` under the limits that the kernel keeps for each process. */
export function limitedArgv (argv: readonly string[], limits: CommandLimits): string[] {
  return [
    '/usr/bin/prlimit', `--nproc=${limits.processes}`, `--fsize=${limits.fileBytes}`, `--data=${limits.processMemoryBytes}`,
    `--cpu=${limits.cpuSeconds}`, `--nofile=${limits.openFiles}`, '--core=0', '--', ...argv
  ]
}

export function shellArgv (command: string): string[] {
  return ['/bin/bash', '--noprofile', '--norc', '-c', command]
}
