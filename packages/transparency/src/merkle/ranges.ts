/** The leaves from `from` up to, but without, `to`. */
export type LeafRange = { readonly from: bigint; readonly to: bigint }

/** The largest power of two below `width`, which is above 1: where RFC 6962 splits a tree of that many leaves. */
const splitOf = (width: bigint): bigint => 1n << BigInt((width - 1n).toString(2).length - 1)

/**
 * The ranges whose roots prove that a leaf is in a tree, from the leaf's sibling up to the root's child.
 * Source: RFC 6962, section 2.1.1 (PATH).
 */
export const inclusionRanges = (index: bigint, size: bigint): ReadonlyArray<LeafRange> => {
  const down: Array<LeafRange> = []
  let [from, to] = [0n, size]
  while (to - from > 1n) {
    const middle = from + splitOf(to - from)
    if (index < middle) {
      down.push({ from: middle, to })
      to = middle
    } else {
      down.push({ from, to: middle })
      from = middle
    }
  }
  return down.reverse()
}

/**
 * The ranges whose roots prove that the tree of `oldSize` leaves, at least 1, begins that of `size`.
 * Source: RFC 6962, section 2.1.2 (PROOF and SUBPROOF).
 */
export const consistencyRanges = (oldSize: bigint, size: bigint): ReadonlyArray<LeafRange> => {
  const down: Array<LeafRange> = []
  let [from, to] = [0n, size]
  while (to !== oldSize) {
    const middle = from + splitOf(to - from)
    if (oldSize <= middle) {
      down.push({ from: middle, to })
      to = middle
    } else {
      down.push({ from, to: middle })
      from = middle
    }
  }
  // Whoever verifies knows the root of the old tree. Its last subtree alone must be told.
  return (from === 0n ? down : [...down, { from, to }]).reverse()
}

/** The root of a complete subtree: of the 2^`height` leaves from `index` × 2^`height`. */
export type Subtree = { readonly height: number; readonly index: bigint }

/** The complete subtrees of a range of one of the proofs, from left to right, the largest first. */
export const subtreesOf = ({ from, to }: LeafRange): ReadonlyArray<Subtree> => {
  const subtrees: Array<Subtree> = []
  for (let at = from; at < to; ) {
    const height = (to - at).toString(2).length - 1
    subtrees.push({ height, index: at >> BigInt(height) })
    at += 1n << BigInt(height)
  }
  return subtrees
}
