import {
  appendLeaf,
  type CompactRange,
  emptyRange,
  type Hash,
  rootOf,
  type StoredHash,
  type TreeHead,
} from '@quittance/transparency'
import { bytesOfPosition } from './positions.ts'

/** Tiles hold as many hashes, and as many positions. */
export const tileWidth = 256n

/** Of each event: its position in the log, and the hash of its leaf. */
export type PlacedLeaf = { readonly position: bigint; readonly leaf: Hash }

/**
 * How far the tree has grown. `last` is its last leaf, and `before` the position of the one before (0n: none): whoever
 * reads the log from there on reads the last leaf again.
 */
export type Growth = { readonly range: CompactRange; readonly before: bigint; readonly last: PlacedLeaf | null }

export const headOf = ({ range }: Growth): TreeHead => ({ size: range.size, root: rootOf(range) })

/** The tree without leaves. */
export const noGrowth: Growth = { range: emptyRange, before: 0n, last: null }

const nothing = new Uint8Array(0)

/** Whether two are the same, so that nobody has changed the tree in between. */
export const isSameGrowth = (one: Growth, other: Growth): boolean =>
  one.range.size === other.range.size &&
  one.last?.position === other.last?.position &&
  Buffer.compare(one.last?.leaf ?? nothing, other.last?.leaf ?? nothing) === 0

/** What is added to each tile: its level and place, and the hashes that follow those that it has. */
type TileGrowth = { readonly level: number; readonly place: number; readonly hashes: Array<Hash> }

const byTile = (stored: ReadonlyArray<StoredHash>): ReadonlyArray<TileGrowth> => {
  const tiles = new Map<string, TileGrowth>()
  for (const { level, index, hash } of stored) {
    const place = Number(index / tileWidth)
    const key = `${level}/${place}`
    const known = tiles.get(key) ?? { level, place, hashes: [] }
    known.hashes.push(hash)
    tiles.set(key, known)
  }
  return [...tiles.values()]
}

/** What leaves add to a tree: hashes to its tiles, and positions to those of the leaves. */
export const grownBy = (from: Growth, leaves: ReadonlyArray<PlacedLeaf>) => {
  let range = from.range
  const stored: Array<StoredHash> = []
  const positions = new Map<number, Array<Uint8Array>>()
  for (const { position, leaf } of leaves) {
    const place = Number(range.size / tileWidth)
    const beside = positions.get(place) ?? []
    positions.set(place, beside)
    beside.push(bytesOfPosition(position))
    const appended = appendLeaf(range, leaf)
    range = appended.range
    stored.push(...appended.stored)
  }
  const last = leaves.at(-1) ?? from.last
  const before = leaves.length > 1 ? (leaves.at(-2)?.position ?? 0n) : (from.last?.position ?? 0n)
  return { growth: { range, before, last }, tiles: byTile(stored), positions: [...positions] }
}
