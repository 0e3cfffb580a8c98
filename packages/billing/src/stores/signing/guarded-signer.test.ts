import { createHash } from 'node:crypto'
import { type AccountId, TransactionHash } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { isSignedBy, localSigner, type SignerUnavailable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { done, refused } from '../../testing/outcomes.ts'
import { guardedSigner, type Patience } from './guarded-signer.ts'
import type { Signer, SigningRequest } from './signer.ts'

const keyOf = (name: string) => localSigner(createHash('sha256').update(name).digest())
const unavailable: SignerUnavailable = { _tag: 'SignerUnavailable', cause: 'throttled' }

/** A signer whose keys follow from their names. */
const honest: Signer = {
  createKey: (key) => async () => E.right(keyOf(key).publicKey),
  sign: ({ key, bytes, purpose }) => keyOf(key).sign(bytes, purpose),
}
const never = () => () => new Promise<never>(() => undefined)

const digits = 'ab'.repeat(32)
const transaction = { _tag: 'transaction', transactionHash: decoded(TransactionHash, digits) } as const
const request = (key: string, account: AccountId = keyOf(key).publicKey): SigningRequest => ({
  account,
  signer: keyOf(key).publicKey,
  key,
  bytes: Buffer.from(digits, 'hex'),
  purpose: transaction,
})

/** Time that passes on command; whoever waits is over its deadline at once if `isImpatient`. */
const clock = () => {
  const time = { now: 0, isImpatient: true }
  const patience: Patience = {
    deadlineMs: 5_000,
    restMs: 30_000,
    now: () => time.now,
    wait: () => (time.isImpatient ? Promise.resolve() : new Promise(() => undefined)),
  }
  return { time, patience }
}
const patient = (): Patience => {
  const { time, patience } = clock()
  time.isImpatient = false
  return patience
}

describe('a signer that others have written', () => {
  it('passes on a signature of the key and the bytes that were asked for, whatever account it acts for', async () => {
    const signer = guardedSigner(honest, patient())
    const asked = request('one', keyOf('another').publicKey)
    expect(isSignedBy(asked.signer, asked.bytes, await done(signer.sign(asked)))).toBe(true)
  })

  it.each<[string, Signer['sign']]>([
    ['another key', ({ bytes, purpose }) => keyOf('a stranger').sign(bytes, purpose)],
    ['other bytes', ({ key, purpose }) => keyOf(key).sign(Buffer.alloc(32), purpose)],
    [
      'the hash of the bytes',
      ({ key, bytes, purpose }) => keyOf(key).sign(createHash('sha256').update(bytes).digest(), purpose),
    ],
    [
      'bytes that it has changed',
      ({ key, bytes, purpose }) => {
        bytes.fill(0)
        return keyOf(key).sign(bytes, purpose)
      },
    ],
  ])('has no signature of %s passed on', async (_, sign) => {
    const signer = guardedSigner({ ...honest, sign }, patient())
    expect(await refused(signer.sign(request('one')))).toEqual({
      _tag: 'SignerUnavailable',
      cause: `what the signer answered is no signature of ${keyOf('one').publicKey}`,
    })
  })

  it('has its failures, and what it throws, passed on as values', async () => {
    const failing = guardedSigner({ ...honest, sign: () => async () => E.left(unavailable) }, patient())
    expect(await refused(failing.sign(request('one')))).toEqual(unavailable)
    const throwing = () => {
      throw new Error('the connection was reset')
    }
    const broken = guardedSigner({ createKey: throwing, sign: throwing }, patient())
    const cause = 'Error: the connection was reset'
    expect(await refused(broken.sign(request('one')))).toEqual({ _tag: 'SignerUnavailable', cause })
    expect(await refused(broken.createKey('one'))).toEqual({ _tag: 'SignerUnavailable', cause })
  })

  it('has to prove a new key before anybody hears of its address', async () => {
    const signer = guardedSigner(honest, patient())
    expect(await done(signer.createKey('one'))).toBe(keyOf('one').publicKey)
    const lying = guardedSigner(
      { ...honest, createKey: () => async () => E.right(keyOf('a stranger').publicKey) },
      patient(),
    )
    expect(await refused(lying.createKey('one'))).toMatchObject({ _tag: 'SignerUnavailable' })
  })

  it('is not asked again for a key that was silent until it has rested, while the keys of others go on', async () => {
    const { time, patience } = clock()
    const asked: Array<string> = []
    const silentFor = new Set(['slow'])
    const sign: Signer['sign'] = (each) => {
      asked.push(each.key)
      time.isImpatient = silentFor.has(each.key)
      return silentFor.has(each.key) ? never() : honest.sign(each)
    }
    const signer = guardedSigner({ ...honest, sign }, patience)
    expect(await refused(signer.sign(request('slow')))).toEqual({
      _tag: 'SignerUnavailable',
      cause: 'the signer did not answer for slow within 5000 ms',
    })
    await refused(signer.sign(request('slow')))
    await done(signer.sign(request('quick')))
    expect(asked).toEqual(['slow', 'quick'])
    time.now = 29_999
    await refused(signer.sign(request('slow')))
    silentFor.clear()
    time.now = 30_000
    await done(signer.sign(request('slow')))
    expect(asked).toEqual(['slow', 'quick', 'slow'])
  })

  it('rests as a whole after three silences in a row', async () => {
    const { time, patience } = clock()
    let asked = 0
    const signer = guardedSigner(
      {
        ...honest,
        sign: () => {
          asked += 1
          return never()
        },
      },
      patience,
    )
    for (const key of ['a', 'b', 'c', 'd', 'e']) await refused(signer.sign(request(key)))
    expect(asked).toBe(3)
    time.now = 30_000
    for (const key of ['a', 'b', 'c']) await refused(signer.sign(request(key)))
    expect(asked).toBe(4)
  })

  it('does no harm with an answer that comes too late', async () => {
    const { time, patience } = clock()
    let fail: (cause: Error) => void = () => undefined
    const late = new Promise<never>((_, reject) => {
      fail = reject
    })
    const signer = guardedSigner({ ...honest, sign: () => () => late }, patience)
    await refused(signer.sign(request('one')))
    fail(new Error('much too late'))
    time.now = 30_000
    expect(await refused(signer.sign(request('one')))).toMatchObject({ _tag: 'SignerUnavailable' })
  })
})
