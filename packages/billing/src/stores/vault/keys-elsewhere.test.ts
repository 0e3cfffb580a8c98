import { createHash } from 'node:crypto'
import { TransactionHash, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase } from '@quittance/event-store/sqlite'
import { localSigner } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { done, present, refused } from '../../testing/outcomes.ts'
import { masterKey } from '../../testing/stores.ts'
import { remoteSigner } from '../signing/remote-signer.ts'
import type { Signer } from '../signing/signer.ts'
import { SeedNotKept } from './seed-signer.ts'
import { sqliteVault } from './sqlite-vault.ts'
import { vaultSigner } from './vault-signer.ts'

const keyOf = (name: string) => localSigner(createHash('sha256').update(name).digest())
const kms: Signer = {
  createKey: (key) => async () => E.right(keyOf(key).publicKey),
  sign: ({ key, bytes, purpose }) => keyOf(key).sign(bytes, purpose),
}
const clock = { now: () => unixMs(1_000) }
const digits = 'cd'.repeat(32)
const transaction = { _tag: 'transaction', transactionHash: decoded(TransactionHash, digits) } as const
const bytes = Buffer.from(digits, 'hex')

describe('a vault whose keys another signer holds', () => {
  let database: ReturnType<typeof openDatabase>
  beforeEach(() => {
    database = openDatabase(':memory:', { durability: 'full' })
  })
  afterEach(() => database.close())
  const opened = (signer: Signer | null = kms) => sqliteVault(database, masterKey, true, undefined, signer)

  it('knows the name and the public key of each, also for the next process, and no seed', async () => {
    expect(await done(opened().createKey('one'))).toBe(keyOf('one').publicKey)
    const vault = opened()
    expect([await vault.keysNamed(''), await vault.publicKey('one'), await vault.publicKey('two')]).toEqual([
      ['one'],
      keyOf('one').publicKey,
      null,
    ])
    expect(await vault.carriage.hasSeed('one')).toBe(false)
    await expect(vault.carriage.withSeed('one', () => undefined)).rejects.toThrow(SeedNotKept)
  })

  it('makes a key once, and asks again after a process that died before it was written down', async () => {
    let made = 0
    const counting: Signer = {
      ...kms,
      createKey: (key) => {
        made += 1
        return kms.createKey(key)
      },
    }
    const full: Signer = counting
    let isFull = false
    const transaction: typeof database.transaction = (work) => {
      if (isFull) throw new Error('the disk is full')
      return database.transaction(work)
    }
    const dying = sqliteVault({ ...database, transaction }, masterKey, true, undefined, full)
    isFull = true
    expect(await refused(dying.createKey('one'))).toEqual({
      _tag: 'SignerUnavailable',
      cause: 'Error: the disk is full',
    })
    const vault = opened(counting)
    expect(await vault.keysNamed('')).toEqual([])
    for (let times = 0; times < 3; times++) expect(await done(vault.createKey('one'))).toBe(keyOf('one').publicKey)
    expect(made).toBe(2)
  })

  it('takes no key that has another name already, as a signer with one key for all would answer', async () => {
    const only: Signer = {
      createKey: () => async () => E.right(keyOf('only').publicKey),
      sign: (request) => keyOf('only').sign(request.bytes, request.purpose),
    }
    const vault = opened(only)
    await done(vault.createKey('settlement/testnet/one'))
    expect(await refused(vault.createKey('settlement/testnet/two'))).toMatchObject({ _tag: 'SignerUnavailable' })
    expect(await vault.publicKey('settlement/testnet/two')).toBeNull()
  })

  it('asks for account, signing key and bytes apart, and records the use before', async () => {
    const seen: Array<unknown> = []
    const vault = opened({
      ...kms,
      sign: (request) => async () => {
        seen.push([request, (await vault.signings.of(keyOf('the account').publicKey)).length])
        return kms.sign(request)()
      },
    })
    await done(vault.createKey('rotated'))
    seen.length = 0
    const account = keyOf('the account').publicKey
    const signer = present(await vaultSigner(vault, clock, 'rotated', 'a worker', account))
    await done(signer.sign(bytes, transaction))
    const request = { account, signer: keyOf('rotated').publicKey, key: 'rotated', bytes: Uint8Array.from(bytes) }
    expect(seen).toEqual([[{ ...request, purpose: transaction }, 1]])
  })

  it('signs no bytes as a transaction that are not its hash, and no hash as a payment request', async () => {
    const vault = opened()
    await done(vault.createKey('one'))
    const signer = present(await vaultSigner(vault, clock, 'one', 'a worker'))
    await expect(signer.sign(Buffer.from('any text of a request'), transaction)()).rejects.toThrow('not the hash')
    await expect(signer.sign(bytes, { _tag: 'uri' })()).rejects.toThrow('no payment request')
    expect(await vault.signings.of(signer.publicKey)).toEqual([])
  })

  it('goes on to sign with the seeds that it has, and makes no more of them', async () => {
    const seed = await done(opened(null).createKey('old'))
    const vault = opened()
    expect(await done(vault.createKey('old'))).toBe(seed)
    await done(vault.createKey('new'))
    expect(await Promise.all(['old', 'new'].map(vault.carriage.hasSeed))).toEqual([true, false])
    for (const key of ['old', 'new'])
      await done(present(await vaultSigner(vault, clock, key, 'me')).sign(bytes, transaction))
  })

  it('says which key cannot be used once no signer is configured', async () => {
    await done(opened().createKey('one'))
    const vault = opened(null)
    const signer = present(await vaultSigner(vault, clock, 'one', 'a worker'))
    expect(await refused(signer.sign(bytes, transaction))).toEqual({
      _tag: 'SignerUnavailable',
      cause: 'no signer is configured that holds one',
    })
  })
})

describe('a KMS or an HSM', () => {
  const remote = { createKey: () => async () => E.left('down'), sign: () => async () => E.left('down') }

  it.each(['', 'a/b', 'a b', 'x'.repeat(41)])('is not asked under the installation %j', (installation) =>
    expect(() => remoteSigner(remote, installation)).toThrow(RangeError),
  )
  it('that answers no public key has made none', async () => {
    const short = remoteSigner({ ...remote, createKey: () => async () => E.right(new Uint8Array(31)) }, 'shop')
    const failing = remoteSigner(remote, 'shop')
    expect([await refused(short.createKey('one')), await refused(failing.createKey('one'))]).toEqual([
      { _tag: 'SignerUnavailable', cause: 'the public key of one has not 32 bytes' },
      { _tag: 'SignerUnavailable', cause: 'down' },
    ])
  })
})
