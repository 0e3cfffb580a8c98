import { emptyRoot, type Hash, hashBytes, isSameHash, nodeHash } from './hashes.ts'

/** A tree: how many leaves it has, and its root. */
export type TreeHead = { readonly size: bigint; readonly root: Hash }

const isOdd = (n: bigint): boolean => n % 2n === 1n
const areHashes = (hashes: ReadonlyArray<Hash>): boolean => hashes.every(({ length }) => length === hashBytes)

/**
 * Whether a proof shows that the leaf with this hash is the `index`-th of a tree.
 * Source: RFC 9162, section 2.1.3.2, which verifies the proofs of RFC 6962.
 */
export const verifyInclusion = (
  index: bigint,
  leaf: Hash,
  { size, root }: TreeHead,
  proof: ReadonlyArray<Hash>,
): boolean => {
  if (index < 0n || index >= size || !areHashes([leaf, root, ...proof])) return false
  // Each step goes one level up: `node` is our place in it, `last` that of its last node.
  let [node, last, hash] = [index, size - 1n, leaf]
  for (const sibling of proof) {
    if (last === 0n) return false
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash)
      // The last node of a level may have no sibling there. It goes up as it is.
      while (!isOdd(node) && node !== 0n) [node, last] = [node >> 1n, last >> 1n]
    } else hash = nodeHash(hash, sibling)
    ;[node, last] = [node >> 1n, last >> 1n]
  }
  return last === 0n && isSameHash(hash, root)
}

/**
 * Whether a proof shows that a tree begins with the leaves of an older one.
 * The proof is empty where the older tree has no leaves, or as many; then the roots are compared.
 * Source: RFC 9162, section 2.1.4.2, which verifies the proofs of RFC 6962; c2sp.org/tlog-witness for trees without leaves.
 */
export const verifyConsistency = (older: TreeHead, newer: TreeHead, proof: ReadonlyArray<Hash>): boolean => {
  if (older.size < 0n || older.size > newer.size || !areHashes([older.root, newer.root, ...proof])) return false
  if (newer.size === 0n && !isSameHash(newer.root, emptyRoot)) return false
  if (older.size === 0n) return proof.length === 0 && isSameHash(older.root, emptyRoot)
  if (older.size === newer.size) return proof.length === 0 && isSameHash(older.root, newer.root)
  return growsTo(older, newer, proof)
}

const growsTo = (older: TreeHead, newer: TreeHead, proof: ReadonlyArray<Hash>): boolean => {
  let [node, last] = [older.size - 1n, newer.size - 1n]
  while (isOdd(node)) [node, last] = [node >> 1n, last >> 1n]
  // A complete older tree is a subtree of the newer one, and its root is known.
  const [start, ...rest] = node === 0n ? [older.root, ...proof] : proof
  if (start === undefined) return false
  let [oldHash, newHash] = [start, start]
  for (const sibling of rest) {
    if (last === 0n) return false
    if (isOdd(node) || node === last) {
      oldHash = nodeHash(sibling, oldHash)
      newHash = nodeHash(sibling, newHash)
      while (!isOdd(node) && node !== 0n) [node, last] = [node >> 1n, last >> 1n]
    } else newHash = nodeHash(newHash, sibling)
    ;[node, last] = [node >> 1n, last >> 1n]
  }
  return last === 0n && isSameHash(oldHash, older.root) && isSameHash(newHash, newer.root)
}
