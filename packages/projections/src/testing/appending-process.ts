import { writeSync } from 'node:fs'
import fc from 'fast-check'
import { inlineProjections } from '../read-models.ts'
import { anyHistory, write } from './any-history.ts'
import { openLog } from './log.ts'

/**
 * A process of its own that appends to a log with all read models, as a service does, until its input ends. It says
 * 'appending' once it does, and how many events the log holds in the end. It fails where an append does.
 */
const [path = ''] = process.argv.slice(2)
const log = openLog(inlineProjections, path)
let isStopped = false
process.stdin.on('end', () => {
  isStopped = true
})
process.stdin.resume()

for (let seed = 1; !isStopped; seed += 1) {
  await write(log, fc.sample(anyHistory, { numRuns: 1, seed }).flat())
  if (seed === 1) writeSync(1, 'appending\n')
}
writeSync(1, `${log.store.logHead().position}\n`)
log.store.close()
