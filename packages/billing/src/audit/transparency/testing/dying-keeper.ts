import { done } from '../../../testing/outcomes.ts'
import { signCheckpoint } from '../sign-checkpoint.ts'
import { openLoneLog } from './lone-log.ts'

/**
 * Runs as its own process: signs a checkpoint of a log, which feeds the tree first, and dies right before
 * its write of that number; with `none`, prints how many writes there are: `dying-keeper.ts <folder> <write>`.
 */
const [, , folder = '', last = ''] = process.argv
let writes = 0
const log = openLoneLog(folder, () => {
  if (writes === Number(last)) process.kill(process.pid, 'SIGKILL')
  writes += 1
})
await done(signCheckpoint(log.services))
process.stdout.write(String(writes))
log.close()
