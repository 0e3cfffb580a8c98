import * as E from 'fp-ts/lib/Either.js'
import { printCheckpoint } from '../checkpoint.ts'
import { emptyRoot, type Hash } from '../merkle/hashes.ts'
import { proveConsistency } from '../merkle/prove.ts'
import type { TreeHead } from '../merkle/verify.ts'
import type { VerifierKey } from '../note/verifier-key.ts'
import { memoryTree } from '../testing/memory-tree.ts'
import { signedBy, testKey } from '../testing/test-key.ts'
import { parseAddCheckpoint, parseSize, printAddCheckpoint, printSize } from './add-checkpoint.ts'
import { continueFrom, readSubmission, statusOf, type WitnessRefusal } from './witness.ts'

const exampleRequest = `old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
`

/** Both halves of a decision, by what the witness has cosigned last. */
const decide = (logs: ReadonlyArray<VerifierKey>, latest: TreeHead | null, body: string) => {
  const submitted = readSubmission(logs, body)
  return E.isLeft(submitted) ? submitted : continueFrom(latest, submitted.right)
}

const right = <A>(result: E.Either<unknown, A>): A =>
  E.getOrElse<unknown, A>((why) => {
    throw new Error(JSON.stringify(why))
  })(result)

describe('a request', () => {
  it('of the specification is read, and printed as it was', () => {
    const request = right(parseAddCheckpoint(exampleRequest))
    expect(request.oldSize).toBe(20_852_014n)
    expect(request.proof).toHaveLength(4)
    expect(request.checkpoint.signatures).toHaveLength(2)
    expect(printAddCheckpoint(request)).toBe(exampleRequest)
  })

  it.each([
    ['nothing', ''],
    ['no old size', exampleRequest.replace('old 20852014\n', '')],
    ['a zero before the old size', exampleRequest.replace('old ', 'old 0')],
    ['a negative old size', exampleRequest.replace('old ', 'old -')],
    ['two spaces', exampleRequest.replace('old ', 'old  ')],
    ['no empty line before the checkpoint', exampleRequest.replace('\n\n', '\n')],
    ['a line that is no hash', exampleRequest.replace('PlRNCrwH', 'PlRN')],
    ['carriage returns', exampleRequest.replaceAll('\n', '\r\n')],
    ['64 hashes', exampleRequest.replace('\n\n', `\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(60)}\n`)],
    ['no last newline', exampleRequest.slice(0, -1)],
    ['too many letters', `${exampleRequest}${'x'.repeat(300_000)}`],
  ])('is malformed with %s', (_, body) => {
    expect(parseAddCheckpoint(body)).toEqual(E.left({ _tag: 'MalformedRequest' }))
  })

  it('may have 63 hashes', () => {
    const body = exampleRequest.replace('\n\n', `\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(59)}\n`)
    expect(right(parseAddCheckpoint(body)).proof).toHaveLength(63)
  })

  it('the size of a 409 is read strictly', () => {
    expect(parseSize(printSize(42n))).toBe(42n)
    expect(['42', '042\n', '42\n\n', '\n', ''].map(parseSize)).toEqual([null, null, null, null, null])
  })
})

describe('a witness', () => {
  const origin = 'log.example/a'
  const log = testKey(origin, 'ed25519', 1)
  const next = testKey(origin, 'ed25519', 2)
  const stranger = testKey('log.example/b', 'ed25519', 3)
  const tree = memoryTree(Array.from({ length: 20 }, (_, at) => Buffer.from(`${at}`)))
  const fork = memoryTree(Array.from({ length: 20 }, (_, at) => Buffer.from(`fork ${at}`)))

  type Asked = {
    oldSize: number
    size: number
    head?: TreeHead
    proof?: ReadonlyArray<Hash>
    by?: typeof log
    as?: string
  }
  const request = async ({ oldSize, size, head = tree.headAt(size), proof, by = log, as = origin }: Asked) => {
    const text = printCheckpoint({ origin: as, ...head })
    const proven = oldSize > size ? [] : right(await proveConsistency(BigInt(oldSize), BigInt(size), tree.read))
    return printAddCheckpoint({
      oldSize: BigInt(oldSize),
      proof: proof ?? proven,
      checkpoint: { text, signatures: [await signedBy(by, text)] },
    })
  }
  const asked = async (latest: number | null, each: Asked) =>
    decide([log.key, next.key], latest === null ? null : tree.headAt(latest), await request(each))
  const cosigns = (size: number) => E.right({ origin, size: BigInt(size), root: Buffer.from(tree.headAt(size).root) })
  const refuses = (left: WitnessRefusal) => E.left(left)

  it('cosigns the first checkpoint of a log, of any size', async () => {
    expect(await asked(null, { oldSize: 0, size: 7 })).toEqual(cosigns(7))
    expect(await asked(null, { oldSize: 0, size: 0 })).toEqual(cosigns(0))
  })

  it('cosigns a checkpoint that continues the latest, and the latest again', async () => {
    expect(await asked(7, { oldSize: 7, size: 20 })).toEqual(cosigns(20))
    expect(await asked(7, { oldSize: 7, size: 7 })).toEqual(cosigns(7))
    expect(await asked(0, { oldSize: 0, size: 7 })).toEqual(cosigns(7))
  })

  it('cosigns what a new key of the log signed', async () => {
    expect(await asked(7, { oldSize: 7, size: 8, by: next })).toEqual(cosigns(8))
  })

  it('says the latest size to whoever names another', async () => {
    const differs = refuses({ _tag: 'OldSizeDiffers', latest: 7n })
    for (const oldSize of [0, 6, 8]) expect(await asked(7, { oldSize, size: 20 })).toEqual(differs)
    expect(await asked(null, { oldSize: 1, size: 20 })).toEqual(refuses({ _tag: 'OldSizeDiffers', latest: 0n }))
  })

  it('never goes back', async () => {
    expect(await asked(7, { oldSize: 7, size: 6 })).toEqual(refuses({ _tag: 'OldSizeTooLarge' }))
    expect(await asked(7, { oldSize: 5, size: 6 })).toEqual(refuses({ _tag: 'OldSizeDiffers', latest: 7n }))
  })

  it('refuses a fork, at the same size and at a larger one', async () => {
    const inconsistent = refuses({ _tag: 'Inconsistent' })
    expect(await asked(7, { oldSize: 7, size: 7, head: fork.headAt(7) })).toEqual(inconsistent)
    expect(await asked(7, { oldSize: 7, size: 20, head: fork.headAt(20) })).toEqual(inconsistent)
    const proof = right(await proveConsistency(7n, 20n, fork.read))
    expect(await asked(7, { oldSize: 7, size: 20, head: fork.headAt(20), proof })).toEqual(inconsistent)
  })

  it('refuses a proof that is missing, wrong or not called for', async () => {
    const inconsistent = refuses({ _tag: 'Inconsistent' })
    expect(await asked(7, { oldSize: 7, size: 20, proof: [] })).toEqual(inconsistent)
    expect(await asked(7, { oldSize: 7, size: 20, proof: [emptyRoot, emptyRoot] })).toEqual(inconsistent)
    expect(await asked(7, { oldSize: 7, size: 7, proof: [emptyRoot] })).toEqual(inconsistent)
    expect(await asked(null, { oldSize: 0, size: 7, proof: [emptyRoot] })).toEqual(inconsistent)
  })

  it('refuses a tree without leaves whose root is not that of none', async () => {
    const head = { size: 0n, root: tree.headAt(1).root }
    expect(await asked(null, { oldSize: 0, size: 0, head })).toEqual(refuses({ _tag: 'Inconsistent' }))
  })

  it('refuses logs that it does not know, and what the log has not signed', async () => {
    expect(await asked(7, { oldSize: 7, size: 8, as: 'log.example/x' })).toEqual(refuses({ _tag: 'UnknownOrigin' }))
    expect(await asked(7, { oldSize: 7, size: 8, by: stranger })).toEqual(refuses({ _tag: 'NotSigned' }))
    const body = await request({ oldSize: 7, size: 8 })
    const forged = body.replace(/\n8\n/, '\n9\n')
    expect(decide([log.key], tree.headAt(7), forged)).toEqual(refuses({ _tag: 'NotSigned' }))
  })

  it('a signature is judged before sizes are, so strangers learn no size', async () => {
    expect(await asked(7, { oldSize: 3, size: 8, by: stranger })).toEqual(refuses({ _tag: 'NotSigned' }))
    expect(await asked(7, { oldSize: 9, size: 8, by: stranger })).toEqual(refuses({ _tag: 'NotSigned' }))
  })

  it('refuses what is no request, and a note that is no checkpoint', async () => {
    expect(decide([log.key], null, 'old 0\n')).toEqual(refuses({ _tag: 'MalformedRequest' }))
    const text = `${printCheckpoint({ origin, ...tree.headAt(1) })}extension\n`
    const checkpoint = { text, signatures: [await signedBy(log, text)] }
    const body = printAddCheckpoint({ oldSize: 0n, proof: [], checkpoint })
    expect(decide([log.key], null, body)).toEqual(refuses({ _tag: 'MalformedRequest' }))
  })

  it('each refusal has the status of the specification', () => {
    expect(statusOf).toEqual({
      MalformedRequest: 400,
      OldSizeTooLarge: 400,
      NotSigned: 403,
      UnknownOrigin: 404,
      OldSizeDiffers: 409,
      Inconsistent: 422,
    })
  })
})
