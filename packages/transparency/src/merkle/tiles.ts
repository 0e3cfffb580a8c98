/** A tile holds 2^8 hashes. */
export const tileHeight = 8
export const tileWidth = 256

/**
 * A tile: `width` consecutive hashes of a `level`, beginning at `index` × 256. Level 0 holds leaf hashes; each hash of
 * level `l` is the root of a full tile of level `l` - 1. A tile of fewer than 256 hashes is partial.
 * Source: c2sp.org/tlog-tiles.
 */
export type Tile = { readonly level: number; readonly index: bigint; readonly width: number }

/** How many hashes a level has in a tree of `size` leaves. */
export const levelSize = (size: bigint, level: number): bigint => size >> BigInt(level * tileHeight)

/** How many hashes a tile has in a tree of `size` leaves: 0 where the tree does not reach it. */
export const widthIn = (size: bigint, level: number, index: bigint): number => {
  const rest = levelSize(size, level) - index * BigInt(tileWidth)
  return rest >= BigInt(tileWidth) ? tileWidth : rest <= 0n ? 0 : Number(rest)
}

/**
 * The path of a tile below the log's prefix, such as `tile/0/x001/x234/067.p/112`.
 * Source: c2sp.org/tlog-tiles, "Merkle Tree".
 */
export const tilePath = ({ level, index, width }: Tile): string => {
  const digits = index.toString()
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? []
  const place = groups.map((group, at) => (at === groups.length - 1 ? group : `x${group}`)).join('/')
  return `tile/${level}/${place}${width === tileWidth ? '' : `.p/${width}`}`
}

/**
 * The tiles that a tree of `size` leaves has and one of `since` leaves did not have: what a log publishes when it grows.
 * They are few where the log grows in small steps; the whole tree's where `since` is 0.
 */
export function* newTiles(since: bigint, size: bigint): Generator<Tile> {
  for (let level = 0; levelSize(size, level) > 0n; level++) {
    const count = levelSize(size, level)
    if (count === levelSize(since, level)) continue
    const first = levelSize(since, level) / BigInt(tileWidth)
    for (let index = first; index * BigInt(tileWidth) < count; index++)
      yield { level, index, width: widthIn(size, level, index) }
  }
}
