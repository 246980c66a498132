import process from 'node:process'

/** Loaded before a subject: collects and tells the live heap when asked. The product itself has no such door. */
process.on('message', () => {
  globalThis.gc?.()
  globalThis.gc?.()
  process.send?.(process.memoryUsage().heapUsed)
})
process.channel?.unref()
