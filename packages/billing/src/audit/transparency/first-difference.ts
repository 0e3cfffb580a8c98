import {
  appendLeaf,
  type CompactRange,
  emptyRange,
  type Hash,
  type ReadTiles,
  rootOf,
  type TreeHead,
} from '@quittance/transparency'
import { hashOfLeaf, isSameHash, type LeafPlace, type ReadLeaves } from './stored-leaf.ts'

const hashBytes = 32
const tileWidth = 256
const tilesAtOnce = 16

/** The hashes of the first `size` leaves, from tiles; null where one is missing. */
async function* leavesIn(read: ReadTiles, size: bigint): AsyncGenerator<Hash | null> {
  const count = Number(size)
  for (let first = 0; first < count; first += tileWidth * tilesAtOnce) {
    const places = Array.from({ length: tilesAtOnce }, (_, at) => first / tileWidth + at)
    const tiles = await read(places.map((place) => ({ level: 0, index: BigInt(place), width: tileWidth })))
    for (const tile of tiles)
      for (let at = 0; at < tileWidth; at += 1)
        yield tile !== null && tile.length >= (at + 1) * hashBytes
          ? tile.subarray(at * hashBytes, (at + 1) * hashBytes)
          : null
  }
}

/** Whether tiles are those of the tree that a checkpoint stands for: only then do they say what the log was. */
const areOf = async (read: ReadTiles, { size, root }: TreeHead): Promise<boolean> => {
  let range: CompactRange = emptyRange
  for await (const leaf of leavesIn(read, size)) {
    if (range.size === size) break
    if (leaf === null) return false
    range = appendLeaf(range, leaf).range
  }
  return range.size === size && isSameHash(rootOf(range), root)
}

/**
 * The first event of a log that is not the one that a checkpoint stands for, by the tiles of its tree; null without them. An
 * event whose hash a later event of its stream still confirms is as it was: then it is its recorded time that was changed.
 */
export const firstDifference = async (
  read: ReadLeaves,
  head: TreeHead,
  readTiles: ReadTiles,
): Promise<(LeafPlace & { readonly what: 'event' | 'recorded time' }) | null> => {
  if (!(await areOf(readTiles, head))) return null
  const known = leavesIn(readTiles, head.size)
  let first: LeafPlace | null = null
  let index = 0n
  for await (const leaf of read()) {
    if (index === head.size) break
    index += 1n
    const before = (await known.next()).value ?? null
    if (before === null) return null
    const isAsBefore = isSameHash(hashOfLeaf(leaf), before)
    if (first === null) {
      if (!isAsBefore) first = { stream: leaf.stream, revision: leaf.revision }
    } else if (isAsBefore && leaf.stream === first.stream) return { ...first, what: 'recorded time' }
  }
  return first === null ? null : { ...first, what: 'event' }
}
