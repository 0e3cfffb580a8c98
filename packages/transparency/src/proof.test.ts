import * as E from 'fp-ts/lib/Either.js'
import { parseCheckpoint, printCheckpoint } from './checkpoint.ts'
import { leafHash } from './merkle/hashes.ts'
import { leafOf } from './merkle/leaf.ts'
import { proveInclusion } from './merkle/prove.ts'
import { keyIdOf } from './note/verifier-key.ts'
import { believeCheckpoint, type LogProof, parseProof, printProof, verifyProof } from './proof.ts'
import { memoryTree } from './testing/memory-tree.ts'
import { cosignedBy, signedBy, testKey } from './testing/test-key.ts'

const right = <A>(result: E.Either<unknown, A>): A =>
  E.getOrElse<unknown, A>((why) => {
    throw new Error(JSON.stringify(why))
  })(result)

const origin = 'log.example/a'
const root = Buffer.from('CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=', 'base64')

describe('a checkpoint', () => {
  const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'

  it('of the specification is read, and printed as it was', () => {
    const checkpoint = right(parseCheckpoint(text))
    expect(checkpoint).toEqual({ origin: 'example.com/behind-the-sofa', size: 20_852_163n, root })
    expect(printCheckpoint(checkpoint)).toBe(text)
  })

  it('may have an origin with spaces, no leaves, or 2^63 - 1 leaves', () => {
    for (const checkpoint of [
      { origin: 'a log', size: 0n, root },
      { origin: 'a', size: 2n ** 63n - 1n, root },
    ])
      expect(parseCheckpoint(printCheckpoint(checkpoint))).toEqual(E.right(checkpoint))
  })

  it.each([
    ['lines', 'an extension line', `${text}extension\n`],
    ['lines', 'an empty extension line', `${text}\n`],
    ['lines', 'no last newline', text.slice(0, -1)],
    ['lines', 'two lines', 'origin\n5\n'],
    ['lines', 'an empty origin', text.replace('example.com/behind-the-sofa', '')],
    ['lines', 'nothing', ''],
    ['size', 'a zero before the size', text.replace('20852163', '020852163')],
    ['size', 'a negative size', text.replace('20852163', '-1')],
    ['size', 'a size in other digits', text.replace('20852163', '٣')],
    ['size', 'a size of 2^63', text.replace('20852163', '9223372036854775808')],
    ['size', 'no size', text.replace('20852163', '')],
    ['root', 'a short root', text.replace('CsUYapGG', '')],
    ['root', 'a root that is no base64', text.replace('CsUYapGG', '!sUYapGG')],
  ])('is refused (%s) with %s', (problem, _, each) => {
    expect(parseCheckpoint(each)).toEqual(E.left({ _tag: 'MalformedCheckpoint', problem }))
  })

  it.each([
    { origin: '', size: 1n, root },
    { origin: 'a\nb', size: 1n, root },
    { origin, size: -1n, root },
    { origin, size: 2n ** 63n, root },
    { origin, size: 1n, root: root.subarray(1) },
  ])('of values that no log has is a defect (%#)', (each) => {
    expect(() => printCheckpoint(each)).toThrow(RangeError)
  })
})

describe('a proof', () => {
  const log = testKey(origin, 'ed25519', 1)
  const [first, second, third] = [2, 3, 4].map((seed) => testKey(`w${seed}.example`, 'cosignature/v1', seed))
  if (first === undefined || second === undefined || third === undefined) throw new Error('three witnesses')
  const leaves = Array.from({ length: 300 }, (_, at) => leafOf({ hash: 'ab'.repeat(32), recordedAt: at }))
  const tree = memoryTree(leaves)
  const leaf = leafHash(leaves[7] ?? Buffer.alloc(0))
  const policy = { logs: [log.key], witnesses: [first.key, second.key, third.key], quorum: 2 }

  const made = async (): Promise<LogProof> => {
    const text = printCheckpoint({ origin, ...tree.headAt(300) })
    const signatures = [
      await signedBy(log, text),
      await cosignedBy(first, text, 100n),
      await cosignedBy(second, text, 200n),
    ]
    const hashes = right(await proveInclusion(7n, 300n, tree.read))
    return { extra: null, index: 7n, hashes, checkpoint: { text, signatures } }
  }

  it('is verified offline, and tells when each witness cosigned', async () => {
    const read = right(parseProof(printProof(await made())))
    expect(verifyProof(read, leaf, policy)).toEqual(
      E.right({
        checkpoint: { origin, size: 300n, root: Buffer.from(tree.headAt(300).root) },
        cosignedAt: new Map([
          ['w2.example', 100n],
          ['w3.example', 200n],
        ]),
      }),
    )
  })

  it('is printed line by line as specified', async () => {
    const proof = await made()
    const lines = printProof({ ...proof, extra: Buffer.from('extra') }).split('\n')
    expect(lines.slice(0, 3)).toEqual(['c2sp.org/tlog-proof@v1', 'extra ZXh0cmE=', 'index 7'])
    expect(lines.indexOf('')).toBe(3 + proof.hashes.length)
    expect(lines.slice(4 + proof.hashes.length)[0]).toBe(origin)
    expect(right(parseProof(lines.join('\n'))).extra).toEqual(Buffer.from('extra'))
  })

  it.each([-1n, 1n, 256n])('is refused for the leaf %i places on', async (by) => {
    const proof = await made()
    expect(verifyProof({ ...proof, index: proof.index + by }, leaf, policy)).toEqual(E.left({ _tag: 'NotIncluded' }))
  })

  it('is refused for another leaf, and with a hash less', async () => {
    const proof = await made()
    expect(verifyProof(proof, leafHash(leaves[8] ?? Buffer.alloc(0)), policy)).toEqual(E.left({ _tag: 'NotIncluded' }))
    const short = { ...proof, hashes: proof.hashes.slice(1) }
    expect(verifyProof(short, leaf, policy)).toEqual(E.left({ _tag: 'NotIncluded' }))
  })

  it('needs the quorum of witnesses, and counts each name once', async () => {
    const { checkpoint } = await made()
    const three = { ...policy, quorum: 3 }
    const few = E.left({ _tag: 'TooFewWitnesses', quorum: 3, cosigned: ['w2.example', 'w3.example'] })
    expect(believeCheckpoint(checkpoint, three)).toEqual(few)
    const again = await cosignedBy(first, checkpoint.text, 300n)
    const renewed = testKey('w2.example', 'cosignature/v1', 9)
    const rotated = await cosignedBy(renewed, checkpoint.text, 400n)
    const signatures = [...checkpoint.signatures, again, rotated]
    const both = { ...three, witnesses: [...three.witnesses, renewed.key] }
    expect(believeCheckpoint({ ...checkpoint, signatures }, both)).toEqual(few)
    expect(right(believeCheckpoint({ ...checkpoint, signatures }, { ...both, quorum: 2 })).cosignedAt).toEqual(
      new Map([
        ['w2.example', 400n],
        ['w3.example', 200n],
      ]),
    )
  })

  it('needs no witness where the policy asks for none', async () => {
    const { checkpoint } = await made()
    const believed = right(believeCheckpoint(checkpoint, { logs: [log.key], witnesses: [], quorum: 0 }))
    expect(believed.cosignedAt).toEqual(new Map())
  })

  it('a log key is no witness, and a witness key no log', async () => {
    const { checkpoint } = await made()
    const mixed = { logs: [{ ...first.key, name: origin }], witnesses: [log.key], quorum: 1 }
    expect(believeCheckpoint(checkpoint, mixed)).toEqual(E.left({ _tag: 'UnknownOrigin', origin }))
    const noWitness = E.left({ _tag: 'TooFewWitnesses', quorum: 1, cosigned: [] })
    expect(believeCheckpoint(checkpoint, { logs: [log.key], witnesses: [log.key], quorum: 1 })).toEqual(noWitness)
  })

  it('a key of another log does not sign for this one', async () => {
    const other = testKey('log.example/b', 'ed25519', 5)
    const { checkpoint } = await made()
    const both = { ...policy, logs: [log.key, other.key] }
    const signatures = [await signedBy(other, checkpoint.text), ...checkpoint.signatures.slice(1)]
    expect(believeCheckpoint({ ...checkpoint, signatures }, both)).toEqual(E.left({ _tag: 'NoKnownSignature' }))
    const unknown = E.left({ _tag: 'UnknownOrigin', origin })
    expect(believeCheckpoint(checkpoint, { ...policy, logs: [other.key] })).toEqual(unknown)
  })

  it('one wrong cosignature of a known witness refuses the proof', async () => {
    const { checkpoint } = await made()
    const wrong = await cosignedBy(third, 'another text\n', 300n)
    const refused = E.left({ _tag: 'WrongSignature', keyName: 'w4.example', keyId: keyIdOf(third.key) })
    const signatures = [...checkpoint.signatures, wrong]
    expect(believeCheckpoint({ ...checkpoint, signatures }, policy)).toEqual(refused)
  })

  it('a note of a known log that is no checkpoint is refused', async () => {
    const text = 'hello\n'
    const note = { text, signatures: [await signedBy(log, text)] }
    expect(believeCheckpoint(note, policy)).toEqual(E.left({ _tag: 'MalformedCheckpoint', problem: 'lines' }))
  })

  it.each([
    ['header', (text: string) => text.replace('@v1', '@v2')],
    ['extra', (text: string) => text.replace('index', 'extra !\nindex')],
    ['index', (text: string) => text.replace('index 7', 'index 07')],
    ['index', (text: string) => text.replace('index 7\n', '')],
    ['index', (text: string) => text.replace('index 7', 'index 7\r')],
    ['hashes', (text: string) => text.replace('index 7\n', 'index 7\nAAAA\n')],
    ['hashes', (text: string) => text.replace('index 7\n', `index 7\n${`${root.toString('base64')}\n`.repeat(64)}`)],
    ['checkpoint', (text: string) => text.replaceAll('\n\n', '\n')],
  ])('is malformed (%s, case %#)', async (problem, change) => {
    expect(parseProof(change(printProof(await made())))).toEqual(E.left({ _tag: 'MalformedProof', problem }))
  })

  it('a proof whose note is malformed, or that is too long, says so', async () => {
    const text = printProof(await made())
    expect(parseProof(text.slice(0, -1))).toEqual(E.left({ _tag: 'MalformedNote', problem: 'signatureLine' }))
    expect(parseProof('x'.repeat(600_000))).toEqual(E.left({ _tag: 'MalformedNote', problem: 'tooLong' }))
  })
})
