import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RecordedEvent } from '@quittance/domain'
import { isStoreFailure } from '@quittance/event-store/sqlite'
import { leafHash, leafOf, type TreeHead } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { type Growth, headOf, type PlacedLeaf } from '../../stores/log-tree/growth.ts'

type FeedServices = Pick<Services, 'store' | 'logTree'>

const leavesAtOnce = 4_096

const leafOfEvent = ({ position, recordedAt, metadata: { hash } }: RecordedEvent): PlacedLeaf => ({
  position,
  leaf: leafHash(leafOf({ hash, recordedAt })),
})

const isSameLeaf = (one: PlacedLeaf, other: PlacedLeaf): boolean =>
  one.position === other.position && Buffer.compare(one.leaf, other.leaf) === 0

/** How reading from a tree's last leaf on ended: all is in the tree, another process was first, or the log lacks that leaf. */
type Fed = 'complete' | 'overtaken' | 'lacking'

const feedFrom = async ({ store, logTree }: FeedServices, from: Growth): Promise<Fed> => {
  let growth = from
  let leaves: Array<PlacedLeaf> = []
  let known = from.last
  const add = async (): Promise<boolean> => {
    if (leaves.length === 0) return true
    const added = await logTree.grow(growth, leaves)
    if (added === null) return false
    growth = added
    leaves = []
    // Other work has its turn between two batches.
    await nextTurn()
    return true
  }
  for await (const event of store.readAll(from.before)) {
    const leaf = leafOfEvent(event)
    if (known !== null) {
      if (!isSameLeaf(known, leaf)) return 'lacking'
      known = null
      continue
    }
    leaves.push(leaf)
    if (leaves.length >= leavesAtOnce && !(await add())) return 'overtaken'
  }
  if (known !== null) return 'lacking'
  return (await add()) ? 'complete' : 'overtaken'
}

/**
 * Brings the tree up to the end of the log, which it follows: nothing is written with an append. Reads the last leaf again
 * first. Where the log went back behind it, the tree is made again from the beginning, so that it is always the tree of
 * this log. Killed anywhere, or run by several processes at once, it comes to the same tree.
 */
export const feedTree = async (services: FeedServices): Promise<E.Either<StoreUnavailable, TreeHead>> => {
  const { logTree } = services
  try {
    for (;;) {
      const from = await logTree.growth()
      const fed = await feedFrom(services, from)
      if (fed === 'complete') return E.right(headOf(await logTree.growth()))
      if (fed === 'lacking') await logTree.clear(from)
    }
  } catch (cause) {
    if (!isStoreFailure(cause)) throw cause
    return E.left({ _tag: 'StoreUnavailable', cause })
  }
}
