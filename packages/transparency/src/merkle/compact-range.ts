import { emptyRoot, type Hash, nodeHash } from './hashes.ts'
import { tileHeight } from './tiles.ts'

/**
 * What a tree must remember to grow: the roots of its largest complete subtrees, from left to right. There is one for
 * each bit that is set in `size`, the highest first.
 */
export type CompactRange = { readonly size: bigint; readonly subtrees: ReadonlyArray<Hash> }

/** A hash that tiles hold: the `index`-th of its `level`. Level 0 holds leaf hashes. */
export type StoredHash = { readonly level: number; readonly index: bigint; readonly hash: Hash }

/** The tree without leaves. */
export const emptyRange: CompactRange = { size: 0n, subtrees: [] }

/**
 * The range with one more leaf, by its hash, and the hashes of tiles that this completes: that of the leaf, and those of
 * the tiles that it fills. Level `l` takes the root of each complete subtree of 256^l leaves.
 */
export const appendLeaf = (
  { size, subtrees }: CompactRange,
  leaf: Hash,
): { readonly range: CompactRange; readonly stored: ReadonlyArray<StoredHash> } => {
  const stored: Array<StoredHash> = [{ level: 0, index: size, hash: leaf }]
  const left = [...subtrees]
  let hash = leaf
  let index = size
  // The new leaf completes one subtree for each bit at the end of `size` that is set.
  for (let height = 1; index % 2n === 1n; height++) {
    const sibling = left.pop()
    if (sibling === undefined) throw new RangeError(`A range of ${size} leaves lacks the root of a subtree`)
    hash = nodeHash(sibling, hash)
    index /= 2n
    if (height % tileHeight === 0) stored.push({ level: height / tileHeight, index, hash })
  }
  return { range: { size: size + 1n, subtrees: [...left, hash] }, stored }
}

/** The root of a tree of this range. Source: RFC 6962, section 2.1. */
export const rootOf = ({ subtrees }: CompactRange): Hash =>
  subtrees.length === 0 ? emptyRoot : subtrees.reduceRight((right, left) => nodeHash(left, right))
