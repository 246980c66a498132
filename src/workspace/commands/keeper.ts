/** Where the keeper reads: a line when it is to begin, and the end of the stream when all is to end. */
export const gateHandle = 5

/**
 * Stands between the server and bwrap, because bwrap by itself outlives a server that is killed while it makes the sandbox:
 * it asks to die with its parent too late to notice, and its first process inside asks last of all. The keeper starts
 * bwrap and a watcher. When the gate closes, for whatever reason, the watcher kills what bwrap has started, again and again until
 * bwrap is gone: nothing that bwrap starts later escapes it, and bwrap itself is never killed with half a sandbox made.
 * That bwrap dies with its parent, the keeper, remains for what a command leaves in the background.
 */
const script = `read -r -u ${gateHandle} || exit
(
  for handle in $1; do exec {handle}<&-; done
  exec < /dev/null > /dev/null 2>&1
  read -r -u ${gateHandle}
  while read -r _ _ _ parent _ < /proc/$BASHPID/stat && [[ $parent == $$ ]]; do
    for child in $(< /proc/$$/task/$$/children); do
      [[ $child == $BASHPID ]] || kill -KILL $(< /proc/$child/task/$child/children)
    done
    /usr/bin/sleep 0.01
  done
) &
shift
/usr/bin/env -i "$@" ${gateHandle}<&-
exit`

/** The program and arguments that run `argv` under a keeper, with an empty environment. The watcher closes `otherHandles`: nobody is to wait for it. */
export function keptArgv (argv: readonly string[], otherHandles: readonly number[]): [program: string, argv: string[]] {
  return ['/bin/bash', ['--noprofile', '--norc', '-c', script, 'keeper', otherHandles.join(' '), ...argv]]
}
