import * as E from 'fp-ts/lib/Either.js'
import { type Hash, hashBytes, nodeHash } from './hashes.ts'
import { consistencyRanges, inclusionRanges, type LeafRange, type Subtree, subtreesOf } from './ranges.ts'
import { type Tile, tileHeight, tilePath, tileWidth, widthIn } from './tiles.ts'

/**
 * Reads tiles: for each, in the same order, its hashes one after the other, 32 bytes each. A tile may come with more
 * hashes than its `width`, as when the log has filled it since; null where there is none.
 */
export type ReadTiles = (tiles: ReadonlyArray<Tile>) => Promise<ReadonlyArray<Uint8Array | null>>

/** Why there is no proof: the tree of that size has no such leaf or older tree, or a tile of it is missing or short. */
export type NoProof =
  | { readonly _tag: 'OutsideTree'; readonly size: bigint }
  | { readonly _tag: 'TileMissing'; readonly path: string }

/** The proof of RFC 6962, or why there is none. */
export type Proven = Promise<E.Either<NoProof, ReadonlyArray<Hash>>>

/** The tile that holds a subtree's hashes, and which of them. */
const placeOf = ({ height, index }: Subtree, size: bigint) => {
  const level = Math.floor(height / tileHeight)
  const count = 2 ** (height % tileHeight)
  const first = index * BigInt(count)
  const tile = { level, index: first / BigInt(tileWidth) }
  return {
    tile: { ...tile, width: widthIn(size, tile.level, tile.index) },
    first: Number(first % BigInt(tileWidth)),
    count,
  }
}

/** The root of `count` hashes of a tile, a power of two of them. */
const rootWithin = (hashes: Uint8Array, first: number, count: number): Hash =>
  count === 1
    ? hashes.subarray(first * hashBytes, (first + 1) * hashBytes)
    : nodeHash(rootWithin(hashes, first, count / 2), rootWithin(hashes, first + count / 2, count / 2))

/** Reads all tiles at once, each once. They are about two for each level: 256 times as many leaves need two more. */
const rootsOf = async (ranges: ReadonlyArray<LeafRange>, size: bigint, read: ReadTiles): Proven => {
  const places = ranges.map((range) => subtreesOf(range).map((subtree) => placeOf(subtree, size)))
  const tiles = [...new Map(places.flat().map(({ tile }) => [tilePath(tile), tile]))]
  const answers = tiles.length === 0 ? [] : await read(tiles.map(([, tile]) => tile))
  const found = new Map<string, Uint8Array>()
  for (const [at, [path, { width }]] of tiles.entries()) {
    const hashes = answers[at] ?? null
    if (hashes === null || hashes.length < width * hashBytes) return E.left({ _tag: 'TileMissing', path })
    found.set(path, hashes)
  }
  const rootAt = ({ tile, first, count }: ReturnType<typeof placeOf>): Hash =>
    rootWithin(found.get(tilePath(tile)) ?? new Uint8Array(), first, count)
  return E.right(places.map((each) => each.map(rootAt).reduceRight((right, left) => nodeHash(left, right))))
}

/**
 * Proves that the leaf at `index` is in the tree of `size` leaves.
 * Shape: from the hash of the leaf's sibling up to that of the root's child; nothing in a tree of one leaf.
 * Errors: `OutsideTree` unless 0 ≤ `index` < `size`; `TileMissing` for a tile that is absent or too short.
 * Source: RFC 6962, section 2.1.1.
 */
export const proveInclusion = async (index: bigint, size: bigint, read: ReadTiles): Proven =>
  index < 0n || index >= size
    ? E.left({ _tag: 'OutsideTree', size })
    : await rootsOf(inclusionRanges(index, size), size, read)

/**
 * Proves that the first `oldSize` leaves of the tree of `size` leaves are those of the tree of `oldSize` leaves.
 * Shape: as RFC 6962 orders it; nothing where `oldSize` is 0 or `size`.
 * Errors: `OutsideTree` unless 0 ≤ `oldSize` ≤ `size`; `TileMissing` for a tile that is absent or too short.
 * Source: RFC 6962, section 2.1.2.
 */
export const proveConsistency = async (oldSize: bigint, size: bigint, read: ReadTiles): Proven => {
  if (oldSize < 0n || oldSize > size) return E.left({ _tag: 'OutsideTree', size })
  return await rootsOf(oldSize === 0n ? [] : consistencyRanges(oldSize, size), size, read)
}
