import { createHash } from 'node:crypto'

/** A SHA-256 hash: 32 bytes. */
export type Hash = Uint8Array

export const hashBytes = 32

const sha256 = (...parts: ReadonlyArray<Uint8Array>): Hash => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

/** The root of the tree without leaves: SHA-256 of nothing. Source: RFC 6962, section 2.1. */
export const emptyRoot: Hash = /* @__PURE__ */ sha256()

/** The hash of a leaf: SHA-256(0x00 ‖ leaf). Source: RFC 6962, section 2.1. */
export const leafHash = (leaf: Uint8Array): Hash => sha256(leafPrefix, leaf)

/** The hash of an inner node: SHA-256(0x01 ‖ left ‖ right). Source: RFC 6962, section 2.1. */
export const nodeHash = (left: Hash, right: Hash): Hash => sha256(nodePrefix, left, right)

/** Whether two hashes have the same bytes. Both are public, so the time that this takes may show where they differ. */
export const isSameHash = (one: Hash, other: Hash): boolean => Buffer.compare(one, other) === 0
