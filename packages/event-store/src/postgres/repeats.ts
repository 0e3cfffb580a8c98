import * as E from 'fp-ts/lib/Either.js'
import { altered, conflict, type Judged, type Outcome, type PendingAppend } from './append.ts'
import { isStoreFailure } from './failures.ts'
import type { StreamReader } from './read.ts'

/**
 * Settles what a commit has judged. Of an append behind the head of its stream, the stored events tell whether it is a
 * repeat; they never change, so they are read after the commit.
 */
export const settler = ({ between }: StreamReader): ((append: PendingAppend, judged: Judged) => Promise<Outcome>) => {
  const repeated = async (append: PendingAppend, actual: bigint): Promise<Outcome> => {
    const { stream, head, events } = append
    const stored = await between(stream, head.revision + 1n, head.revision + BigInt(events.length))
    const [first, last] = [stored[0], stored.at(-1)]
    const isRepeat = stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.stored.id)
    if (!isRepeat || first === undefined || last === undefined) return conflict(append, actual)
    if (first.metadata.previousHash !== head.hash) return altered(stream, head)
    return E.right({
      head: { revision: last.revision, hash: last.metadata.hash },
      position: last.position,
      events: stored,
    })
  }
  return async (append, judged) => {
    if (judged._tag !== 'Behind') return judged
    try {
      return await repeated(append, judged.actual)
    } catch (cause) {
      if (!isStoreFailure(cause)) throw cause
      // Something stands where these events would, and nobody could read whether it is them.
      return E.left({ _tag: 'OutcomeUnknown', cause })
    }
  }
}
