import * as E from 'fp-ts/lib/Either.js'
import { memoryTree } from '../testing/memory-tree.ts'
import * as vectors from '../testing/rfc-6962-vectors.ts'
import { appendLeaf, emptyRange, rootOf } from './compact-range.ts'
import { type Hash, leafHash } from './hashes.ts'
import { leafOf } from './leaf.ts'
import { proveConsistency, proveInclusion, type ReadTiles } from './prove.ts'
import { newTiles, tilePath } from './tiles.ts'
import { verifyConsistency, verifyInclusion } from './verify.ts'

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
const hex = (hashes: ReadonlyArray<Hash>) => hashes.map((hash) => Buffer.from(hash).toString('hex'))
const right = <A>(result: E.Either<unknown, A>): A =>
  E.getOrElse<unknown, A>((why) => {
    throw new Error(JSON.stringify(why))
  })(result)

describe('the tree of eight leaves of RFC 6962', () => {
  const tree = memoryTree(vectors.leaves.map(bytes))

  it('has the known root at each size', () => {
    expect(hex(vectors.roots.map((_, size) => tree.headAt(size).root))).toEqual(vectors.roots)
  })

  it.each(vectors.inclusions)('proves leaf $index of $size as others do', async ({ index, size, proof }) => {
    expect(hex(right(await proveInclusion(index, size, tree.read)))).toEqual(proof)
    const leaf = leafHash(bytes(vectors.leaves[Number(index)] ?? ''))
    expect(verifyInclusion(index, leaf, tree.headAt(size), proof.map(bytes))).toBe(true)
  })

  it.each(vectors.consistencies)('proves that $size leaves begin with $oldSize as others do', async (each) => {
    const { oldSize, size, proof } = each
    expect(hex(right(await proveConsistency(oldSize, size, tree.read)))).toEqual(proof)
    expect(verifyConsistency(tree.headAt(oldSize), tree.headAt(size), proof.map(bytes))).toBe(true)
  })
})

describe('small trees', () => {
  const leaves = Array.from({ length: 33 }, (_, at) => Buffer.from(`leaf ${at}`))
  const tree = memoryTree(leaves)
  const sizes = Array.from({ length: 34 }, (_, size) => size)

  it('every leaf of every size is proven, and under no other index', async () => {
    for (const size of sizes)
      for (const [index, leaf] of leaves.slice(0, size).entries()) {
        const proof = right(await proveInclusion(BigInt(index), BigInt(size), tree.read))
        const accepted = sizes.filter((i) => verifyInclusion(BigInt(i), leafHash(leaf), tree.headAt(size), proof))
        expect({ size, accepted }).toEqual({ size, accepted: [index] })
      }
  })

  it('every size is proven to begin every larger one, and no other older size is', async () => {
    for (const size of sizes)
      for (const old of sizes.slice(0, size + 1)) {
        const proof = right(await proveConsistency(BigInt(old), BigInt(size), tree.read))
        const newer = tree.headAt(size)
        const accepted = sizes.filter((each) => verifyConsistency(tree.headAt(each), newer, proof))
        // No proof is needed to begin with nothing, nor to equal itself.
        expect({ old, size, accepted }).toEqual({
          old,
          size,
          accepted: proof.length === 0 ? [...new Set([0, size])] : [old],
        })
      }
  })

  it('a tree without leaves has the root of RFC 6962 and begins every tree', () => {
    const empty = tree.headAt(0)
    expect(verifyConsistency(empty, empty, [])).toBe(true)
    expect(verifyConsistency(empty, { size: 0n, root: tree.headAt(1).root }, [])).toBe(false)
    expect(verifyConsistency(empty, tree.headAt(5), [tree.headAt(5).root])).toBe(false)
    expect(verifyConsistency({ size: 0n, root: tree.headAt(1).root }, tree.headAt(5), [])).toBe(false)
  })

  it('a leaf or an older tree outside of the tree is refused', async () => {
    const outside = E.left({ _tag: 'OutsideTree', size: 5n })
    expect(await proveInclusion(5n, 5n, tree.read)).toEqual(outside)
    expect(await proveInclusion(-1n, 5n, tree.read)).toEqual(outside)
    expect(await proveConsistency(6n, 5n, tree.read)).toEqual(outside)
    expect(await proveConsistency(-1n, 5n, tree.read)).toEqual(outside)
    expect(verifyInclusion(-1n, leafHash(bytes('')), tree.headAt(1), [])).toBe(false)
    expect(verifyConsistency(tree.headAt(6), tree.headAt(5), [])).toBe(false)
  })
})

describe('tiles', () => {
  const tree = memoryTree(
    (function* () {
      for (let at = 0; at < 70_000; at++) yield Buffer.from(`${at}`)
    })(),
  )

  it('a proof in 70,000 leaves reads five tiles at most', async () => {
    for (const index of [0n, 255n, 256n, 65_535n, 65_536n, 69_887n, 69_888n, 69_999n]) {
      const before = tree.reads()
      const proof = right(await proveInclusion(index, 70_000n, tree.read))
      expect(tree.reads() - before).toBeLessThanOrEqual(5)
      expect(verifyInclusion(index, leafHash(Buffer.from(`${index}`)), tree.headAt(70_000), proof)).toBe(true)
    }
    for (const old of [1n, 255n, 256n, 257n, 65_535n, 65_536n, 65_537n, 69_999n, 70_000n]) {
      const before = tree.reads()
      const proof = right(await proveConsistency(old, 70_000n, tree.read))
      expect(tree.reads() - before).toBeLessThanOrEqual(5)
      expect(verifyConsistency(tree.headAt(old), tree.headAt(70_000), proof)).toBe(true)
    }
  })

  it('a tree of 70,000 leaves has the tiles that the specification counts', () => {
    const paths = [...newTiles(0n, 70_000n)].map(tilePath)
    expect(paths).toHaveLength(273 + 1 + 1 + 1 + 1)
    expect(paths.filter((path) => path.includes('.p/') || path.startsWith('tile/1'))).toEqual([
      'tile/0/273.p/112',
      'tile/1/000',
      'tile/1/001.p/17',
      'tile/2/000.p/1',
    ])
  })

  it('growth publishes the tiles that it changed', () => {
    expect([...newTiles(255n, 256n)].map(tilePath)).toEqual(['tile/0/000', 'tile/1/000.p/1'])
    expect([...newTiles(256n, 257n)].map(tilePath)).toEqual(['tile/0/001.p/1'])
    expect([...newTiles(69_999n, 70_000n)].map(tilePath)).toEqual(['tile/0/273.p/112'])
    expect([...newTiles(5n, 5n)]).toEqual([])
    expect([...newTiles(0n, 0n)]).toEqual([])
  })

  it('a large index is split into groups of three digits', () => {
    expect(tilePath({ level: 0, index: 1_234_067n, width: 256 })).toBe('tile/0/x001/x234/067')
    expect(tilePath({ level: 3, index: 1_000n, width: 1 })).toBe('tile/3/x001/000.p/1')
  })

  it('a missing and a short tile are named', async () => {
    const missing: ReadTiles = async (tiles) => tiles.map(() => null)
    expect(await proveInclusion(0n, 300n, missing)).toEqual(E.left({ _tag: 'TileMissing', path: 'tile/0/000' }))
    const short: ReadTiles = async (tiles) => (await tree.read(tiles)).map((each) => each?.subarray(32) ?? null)
    expect(await proveInclusion(299n, 300n, short)).toEqual(E.left({ _tag: 'TileMissing', path: 'tile/0/001.p/44' }))
  })

  it('a partial tile may be read from the tile that has been filled since', async () => {
    const later: ReadTiles = (tiles) => tree.read(tiles.map((each) => ({ ...each, width: 256 })))
    expect(await proveInclusion(7n, 200n, later)).toEqual(await proveInclusion(7n, 200n, tree.read))
  })
})

describe('the leaf of an event', () => {
  it('is its hash and its recorded time, 40 bytes', () => {
    const leaf = leafOf({ hash: 'ab'.repeat(32), recordedAt: 1_767_225_600_123 })
    expect(Buffer.from(leaf).toString('hex')).toBe(`${'ab'.repeat(32)}0000019b76daa87b`)
  })

  it.each([
    { hash: 'AB'.repeat(32), recordedAt: 1 },
    { hash: 'ab'.repeat(31), recordedAt: 1 },
    { hash: 'ab'.repeat(32), recordedAt: -1 },
    { hash: 'ab'.repeat(32), recordedAt: 0.5 },
  ])('refuses %j, which no store writes', (event) => {
    expect(() => leafOf(event)).toThrow(RangeError)
  })
})

it('a range that lacks a subtree is a defect', () => {
  expect(() => appendLeaf({ size: 1n, subtrees: [] }, leafHash(bytes('')))).toThrow(RangeError)
  expect(hex([rootOf(emptyRange)])).toEqual(vectors.roots.slice(0, 1))
})
