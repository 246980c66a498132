/** `npm run torture [-- --kills=200 --seed=N --clients=4]`: prints what was counted; exits with 1 when something was wrong. */
import { parseArgs } from 'node:util'
import process from 'node:process'
import { torture } from './torture.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
    clients: { type: 'string', default: '4' }
  }
})
const say = (text: string): void => { process.stdout.write(`${text}\n`) }

say(`seed ${values.seed}`)
const began = performance.now()
const { faults, counts } = await torture({ kills: Number(values.kills), seed: Number(values.seed), clients: Number(values.clients), onProgress: say })
for (const [name, number] of Object.entries(counts)) say(`${String(number).padStart(8)}  ${name}`)
say(`${((performance.now() - began) / 1000).toFixed(1)} s`)
for (const fault of faults) say(`FAULT ${fault}`)
say(faults.length === 0 ? 'Nothing was lost.' : `${faults.length} faults; again with: npm run torture -- --seed=${values.seed} --kills=${values.kills} --clients=${values.clients}`)
process.exitCode = faults.length === 0 ? 0 : 1
