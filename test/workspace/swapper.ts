import { renameSync } from 'node:fs'
import { join } from 'node:path'

/** A hostile command: swaps `d`, a directory, with `link`, which leads out, as fast as it can, until its parent lets go. */
const directory = process.argv[2] ?? ''
const path = (name: string) => join(directory, name)

let moved = 0

/** A write in between may have made a directory of that name: it goes aside. */
function put (name: string): void {
  for (;;) {
    try {
      return renameSync(path(name), path('d'))
    } catch {
      renameSync(path('d'), path(`made-${moved++}`))
    }
  }
}

function swapMany (): void {
  for (let i = 0; i < 50; i++) {
    renameSync(path('d'), path('aside'))
    put('link')
    renameSync(path('d'), path('link'))
    put('aside')
  }
  // Bursts with quiet in between: an operation that began in quiet is met in its middle.
  setTimeout(swapMany, 1)
}

process.on('disconnect', () => process.exit())
process.send?.('swapping')
swapMany()
