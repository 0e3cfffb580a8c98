import {
  appendLeaf,
  type Checkpoint,
  type CompactRange,
  emptyRange,
  type Hash,
  type ReadTiles,
  rootOf,
} from '@quittance/transparency'
import { firstDifference } from './first-difference.ts'
import { hashOfLeaf, isSameHash, type LeafPlace, type ReadLeaves } from './stored-leaf.ts'

/** How a log differs from a checkpoint. `size` is that of the checkpoint, in events. */
export type CheckpointDifference =
  /** The log has fewer events: its end was cut off, or it is an older copy. */
  | { readonly _tag: 'EndMissing'; readonly size: bigint; readonly events: bigint }
  /**
   * The first `size` events are not those that the checkpoint stands for. `agreed`: up to how many events another checkpoint
   * agrees. `first`: the first event that differs, where tiles that the checkpoint confirms are there.
   */
  | {
      readonly _tag: 'HistoryRewritten'
      readonly size: bigint
      readonly agreed: bigint
      readonly first: (LeafPlace & { readonly what: 'event' | 'recorded time' }) | null
    }

/** The roots of the tree at these sizes, as far as the log goes, and how many events it has. */
const rootsAt = async (read: ReadLeaves, sizes: ReadonlySet<bigint>) => {
  let range: CompactRange = emptyRange
  const roots = new Map<bigint, Hash>()
  const note = (): void => {
    if (sizes.has(range.size)) roots.set(range.size, rootOf(range))
  }
  note()
  for await (const leaf of read()) {
    range = appendLeaf(range, hashOfLeaf(leaf)).range
    note()
  }
  return { events: range.size, roots }
}

/**
 * Compares a log with checkpoints that were signed of it before: it continues those from which it does not differ. One
 * reading of the log suffices for all; a second one names the first difference, if `readTiles` has the tiles of the tree as it
 * was. Differences come in the order of their sizes.
 */
export const compareLog = async (
  read: ReadLeaves,
  checkpoints: ReadonlyArray<Pick<Checkpoint, 'size' | 'root'>>,
  readTiles: ReadTiles | null,
): Promise<ReadonlyArray<CheckpointDifference>> => {
  const inOrder = checkpoints.toSorted((one, other) => Number(one.size - other.size))
  const { events, roots } = await rootsAt(read, new Set(inOrder.map(({ size }) => size)))
  let agreed = 0n
  const differences: Array<CheckpointDifference> = []
  for (const { size, root } of inOrder) {
    if (size > events) {
      differences.push({ _tag: 'EndMissing', size, events })
      continue
    }
    const own = roots.get(size)
    if (own !== undefined && isSameHash(own, root)) agreed = differences.length === 0 ? size : agreed
    else if (!differences.some(({ _tag }) => _tag === 'HistoryRewritten')) {
      const first = readTiles === null ? null : await firstDifference(read, { size, root }, readTiles)
      differences.push({ _tag: 'HistoryRewritten', size, agreed, first })
    }
  }
  return differences
}
