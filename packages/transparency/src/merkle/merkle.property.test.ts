import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { memoryTree } from '../testing/memory-tree.ts'
import { appendLeaf, type CompactRange, emptyRange, rootOf } from './compact-range.ts'
import { type Hash, leafHash, nodeHash } from './hashes.ts'
import { type Proven, proveConsistency, proveInclusion } from './prove.ts'
import { verifyConsistency, verifyInclusion } from './verify.ts'

const leavesOf = (seed: number, count: number) => Array.from({ length: count }, (_, at) => Buffer.from(`${seed}/${at}`))
/** Trees around the width of a tile are as likely as small ones. */
const size = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 250, max: 262 }),
  fc.integer({ min: 500, max: 1100 }),
)
const place = fc.record({ seed: fc.nat(), size, at: fc.nat(), bit: fc.nat() })

/** The definition of RFC 6962, section 2.1, word for word: slow, and of no use to the code under test. */
const rootByDefinition = (hashes: ReadonlyArray<Hash>): Hash => {
  const [only] = hashes
  if (only !== undefined && hashes.length === 1) return only
  let split = 1
  while (split * 2 < hashes.length) split *= 2
  return nodeHash(rootByDefinition(hashes.slice(0, split)), rootByDefinition(hashes.slice(split)))
}

const proofOf = async (proven: Proven): Promise<ReadonlyArray<Hash>> => {
  const proof = await proven
  if (E.isLeft(proof)) throw new Error(JSON.stringify(proof.left, (_, value) => String(value)))
  return proof.right
}

const flipped = (hash: Hash, bit: number): Hash =>
  hash.map((byte, at) => (at === Math.floor(bit / 8) % 32 ? byte ^ (1 << (bit % 8)) : byte))
/** The proof with one bit changed, with a hash less, with one more, and with two swapped. */
const damaged = (proof: ReadonlyArray<Hash>, bit: number): ReadonlyArray<ReadonlyArray<Hash>> => [
  [...proof, leafHash(Buffer.of(bit % 256))],
  ...(proof.length === 0
    ? []
    : [
        proof.map((hash, at) => (at === bit % proof.length ? flipped(hash, bit) : hash)),
        proof.slice(1),
        proof.slice(0, -1),
        proof.map((hash, at) => (at === 0 ? hash.subarray(1) : hash)),
      ]),
  ...(proof.length < 2 ? [] : [[...proof].reverse()]),
]

describe('random trees', () => {
  it('the root is that of the definition, whatever batches the tree grew in', () =>
    fc.assert(
      fc.property(fc.nat(), size, fc.array(fc.integer({ min: 1, max: 300 })), (seed, count, batches) => {
        const hashes = leavesOf(seed, count).map(leafHash)
        const grow = (range: CompactRange, batch: ReadonlyArray<Hash>) =>
          batch.reduce((each, leaf) => appendLeaf(each, leaf).range, range)
        let [range, at] = [emptyRange, 0]
        for (const batch of [...batches, count]) {
          // A batch begins from what was stored of the one before.
          range = { size: range.size, subtrees: range.subtrees.map((hash) => Buffer.from(hash)) }
          range = grow(range, hashes.slice(at, at + batch))
          at += batch
        }
        expect(range.size).toBe(BigInt(count))
        expect(range.subtrees).toHaveLength(count.toString(2).replaceAll('0', '').length)
        expect(Buffer.from(rootOf(range)).equals(rootByDefinition(hashes))).toBe(true)
      }),
      { numRuns: 60 },
    ))

  it('every leaf is proven, and no other leaf, index, root or proof is accepted', () =>
    fc.assert(
      fc.asyncProperty(place, async ({ seed, size, at, bit }) => {
        const leaves = leavesOf(seed, size)
        const tree = memoryTree(leaves)
        const index = BigInt(at % size)
        const leaf = leafHash(leaves[Number(index)] ?? Buffer.alloc(0))
        const head = tree.headAt(size)
        const proof = await proofOf(proveInclusion(index, BigInt(size), tree.read))
        expect(verifyInclusion(index, leaf, head, proof)).toBe(true)
        expect(verifyInclusion(index, flipped(leaf, bit), head, proof)).toBe(false)
        expect(verifyInclusion(index, leaf, { ...head, root: flipped(head.root, bit) }, proof)).toBe(false)
        for (const other of [index - 1n, index + 1n, index ^ (1n << BigInt(bit % 12))].filter((each) => each !== index))
          expect(verifyInclusion(other, leaf, head, proof)).toBe(false)
        for (const each of damaged(proof, bit)) expect(verifyInclusion(index, leaf, head, each)).toBe(false)
      }),
      { numRuns: 60 },
    ))

  it('every older tree is proven, and no other tree or proof is accepted', () =>
    fc.assert(
      fc.asyncProperty(place, async ({ seed, size, at, bit }) => {
        const tree = memoryTree(leavesOf(seed, size))
        const older = tree.headAt(1 + (at % size))
        const newer = tree.headAt(size)
        const proof = await proofOf(proveConsistency(older.size, newer.size, tree.read))
        expect(verifyConsistency(older, newer, proof)).toBe(true)
        expect(verifyConsistency({ ...older, root: flipped(older.root, bit) }, newer, proof)).toBe(false)
        expect(verifyConsistency(older, { ...newer, root: flipped(newer.root, bit) }, proof)).toBe(false)
        for (const each of damaged(proof, bit)) expect(verifyConsistency(older, newer, each)).toBe(false)
        const smaller = { ...older, size: older.size - 1n }
        expect(verifyConsistency(smaller, newer, proof)).toBe(false)
        if (older.size < newer.size) {
          expect(verifyConsistency({ ...older, size: older.size + 1n }, newer, proof)).toBe(false)
          expect(verifyConsistency(newer, older, proof)).toBe(false)
        }
      }),
      { numRuns: 60 },
    ))
})
