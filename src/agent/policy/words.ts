/** One word of a command, after its quotes were taken away. */
export interface Word {
  readonly text: string
  /** The shell passes on this very text. Otherwise it expands: to another text, to several words, to none. */
  readonly fixed: boolean
}

/** Commands that run what their arguments say: a rule for what is run is no rule for them, and the other way round. */
const runners = new Set(('. alias ash at bash batch builtin busybox bwrap catchsegv chroot chrt command coproc crontab csh dash doas ' +
  'entr env eval exec fakeroot firejail fish flock gdb hash ionice ksh linux32 linux64 ltrace mksh nice nohup nsenter numactl parallel prlimit proot ' +
  'rbash rlwrap runuser screen script setarch setpriv setsid sh source ssh stdbuf strace su sudo systemd-run taskset tcsh time timeout tmux ' +
  'toybox trap unbuffer unshare valgrind watch xargs zsh').split(' '))

const shells = new Set('ash bash csh dash fish ksh mksh rbash sh tcsh zsh'.split(' '))

export function isRunner (command: string): boolean {
  return runners.has(baseName(command).toLowerCase())
}

export function isShell (command: string): boolean {
  return shells.has(baseName(command).toLowerCase())
}

export function baseName (command: string): string {
  return command.slice(command.lastIndexOf('/') + 1)
}
