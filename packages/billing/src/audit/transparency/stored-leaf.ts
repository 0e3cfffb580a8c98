import { type Hash, leafHash, leafOf } from '@quittance/transparency'

/** Where an event is: its stream, and its revision there. */
export type LeafPlace = { readonly stream: string; readonly revision: number }

/** What a log holds of one event, as it is stored: nothing of it needs to be true. */
export type StoredLeaf = LeafPlace & { readonly hash: string; readonly recordedAt: number }

/** Reads a log from its beginning, in its order. */
export type ReadLeaves = () => AsyncIterable<StoredLeaf> | Iterable<StoredLeaf>

/** What no store writes gets a leaf of its own, so that it agrees with no checkpoint. */
export const hashOfLeaf = ({ hash, recordedAt }: StoredLeaf): Hash => {
  try {
    return leafHash(leafOf({ hash, recordedAt }))
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    return leafHash(Buffer.from(`no leaf: ${hash} ${recordedAt}`))
  }
}

export const isSameHash = (one: Hash, other: Hash): boolean => Buffer.compare(one, other) === 0
