import { appendLeaf, type CompactRange, emptyRange, rootOf } from '../merkle/compact-range.ts'
import { type Hash, leafHash } from '../merkle/hashes.ts'
import type { ReadTiles } from '../merkle/prove.ts'
import { type Tile, tileWidth } from '../merkle/tiles.ts'
import type { TreeHead } from '../merkle/verify.ts'

/** A tree in memory: heads of all its sizes, and the tiles that a log would store. `reads` counts tiles that were read. */
export const memoryTree = (leaves: Iterable<Uint8Array>) => {
  const levels: Array<Array<Hash>> = []
  let range: CompactRange = emptyRange
  const heads: Array<TreeHead> = [{ size: 0n, root: rootOf(range) }]
  for (const leaf of leaves) {
    const appended = appendLeaf(range, leafHash(leaf))
    range = appended.range
    heads.push({ size: range.size, root: rootOf(range) })
    for (const { level, index, hash } of appended.stored) {
      const hashes = levels[level] ?? []
      levels[level] = hashes
      hashes[Number(index)] = hash
    }
  }
  let reads = 0
  const tileOf = ({ level, index, width }: Tile): Uint8Array | null => {
    const first = Number(index) * tileWidth
    const hashes = levels[level]?.slice(first, first + width) ?? []
    return hashes.length === width ? Buffer.concat(hashes) : null
  }
  const read: ReadTiles = async (tiles) => {
    reads += tiles.length
    return tiles.map(tileOf)
  }
  const headAt = (size: number | bigint): TreeHead => {
    const head = heads[Number(size)]
    if (head === undefined) throw new RangeError(`The tree has no ${size} leaves`)
    return head
  }
  return { range, headAt, read, reads: () => reads }
}
