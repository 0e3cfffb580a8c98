import type { ProvenEvent } from './target.ts'

/** Below the server's limit of 1 MiB for one append; a code unit takes up to three bytes. */
const maxRunLength = 300_000
const maxEvents = 500

/** Consecutive events of one stream, which one append can write. */
export const runsOf = (events: ReadonlyArray<ProvenEvent>): ReadonlyArray<ReadonlyArray<ProvenEvent>> => {
  const runs: Array<Array<ProvenEvent>> = []
  let [stream, length] = ['', 0]
  for (const event of events) {
    const { stored } = event
    const own = stored.data.length + stored.metadata.length
    const run = runs.at(-1)
    if (run === undefined || stored.stream !== stream || length + own > maxRunLength || run.length === maxEvents) {
      runs.push([event])
      length = own
    } else {
      run.push(event)
      length += own
    }
    stream = stored.stream
  }
  return runs
}
