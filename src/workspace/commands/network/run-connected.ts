import { errnoOf } from '../../failures.ts'
import type { CommandResult } from '../command-runner.ts'
import { notRun } from '../not-run.ts'
import type { CommandNetwork, OpenNetwork } from './command-network.ts'

/** Runs with a way to the network, which is cut when the run has ended. */
export async function runConnected (network: CommandNetwork, run: (socket: string) => Promise<CommandResult>): Promise<CommandResult> {
  let open: OpenNetwork
  try {
    open = await network.open()
  } catch (error) {
    return notRun({ outcome: 'sandbox_error', reason: `The way to the network could not be opened (${errnoOf(error) ?? 'an error'}).` })
  }
  try {
    const result = await run(open.socket)
    return { ...result, refusals: open.refusals() }
  } finally {
    await open.close()
  }
}
