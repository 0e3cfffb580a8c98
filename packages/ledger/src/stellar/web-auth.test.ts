import { AccountId } from '@quittance/domain'
import { Account, Keypair, Operation, Transaction, TransactionBuilder, WebAuth } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { Authority } from '../gateway.ts'
import { named } from '../named.ts'
import { localSigner } from '../signing/local-signer.ts'
import { buildChallenge, readChallenge, verifyChallenge, type WebAuthServer } from './web-auth.ts'

const networkPassphrase = 'Proofs Under Test'
const domain = 'pay.test:8443'
const keyOf = (byte: number) => Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(byte))
const [service, wallet, cosigner, stranger] = [keyOf(1), keyOf(2), keyOf(3), keyOf(4)]
const account = named(AccountId, wallet.publicKey())
const server: WebAuthServer = { account: named(AccountId, service.publicKey()), domain, networkPassphrase }

const challenge = async () => {
  const built = await buildChallenge(server, localSigner(service.rawSecretKey()), account)()
  if (E.isLeft(built)) throw new Error(built.left.cause)
  return built.right
}
const signedBy = (envelopeXdr: string, ...keys: ReadonlyArray<Keypair>): string => {
  const transaction = TransactionBuilder.fromXdr(envelopeXdr, networkPassphrase)
  transaction.sign(...keys)
  return transaction.toXdr()
}
const invalid = E.left({ _tag: 'ChallengeInvalid', cause: expect.any(String) })
const insufficient = E.left({ _tag: 'SignaturesInsufficient', cause: expect.any(String) })

describe('a challenge', () => {
  const { now } = Date
  afterEach(() => {
    Date.now = now
  })

  it('follows SEP-10: unsendable, with 48 random bytes for the account, valid for 15 minutes', async () => {
    const { envelopeXdr } = await challenge()
    const transaction = TransactionBuilder.fromXdr(envelopeXdr, networkPassphrase)
    if (!(transaction instanceof Transaction)) throw new Error('a fee bump')
    const { minTime, maxTime } = transaction.timeBounds ?? { minTime: '0', maxTime: '0' }
    expect([transaction.sequence, transaction.source, Number(maxTime) - Number(minTime)]).toEqual([
      '0',
      service.publicKey(),
      900,
    ])
    const [nonce, webAuthDomain] = transaction.operations
    expect(nonce).toMatchObject({ type: 'manageData', name: `${domain} auth`, source: account })
    const text = nonce?.type === 'manageData' ? Buffer.from(nonce.value ?? []).toString('ascii') : ''
    expect(Buffer.from(text, 'base64')).toHaveLength(48)
    expect(webAuthDomain).toMatchObject({ name: 'web_auth_domain', source: service.publicKey() })
    expect((await challenge()).envelopeXdr).not.toBe(envelopeXdr)
  })

  it('keeps its hash, whoever signs it', async () => {
    const { envelopeXdr, transactionHash } = await challenge()
    for (const text of [envelopeXdr, signedBy(envelopeXdr, wallet), signedBy(envelopeXdr, stranger)]) {
      expect(readChallenge(server, account, text)).toEqual(E.right(transactionHash))
    }
  })

  it('is bound to one service, one domain, one network and one account', async () => {
    const { envelopeXdr } = await challenge()
    for (const changed of [
      { account: named(AccountId, stranger.publicKey()) },
      { domain: 'pay.test' },
      { networkPassphrase: 'Another' },
    ]) {
      expect(readChallenge({ ...server, ...changed }, account, envelopeXdr)).toEqual(invalid)
    }
    expect(readChallenge(server, named(AccountId, cosigner.publicKey()), envelopeXdr)).toEqual(invalid)
  })

  it('is invalid after its time', async () => {
    const { envelopeXdr, transactionHash } = await challenge()
    const start = Date.now()
    Date.now = () => start + 899_000
    expect(readChallenge(server, account, envelopeXdr)).toEqual(E.right(transactionHash))
    Date.now = () => start + 1_202_000
    expect(readChallenge(server, account, envelopeXdr)).toEqual(invalid)
  })

  const muxed = `M${'A'.repeat(68)}`
  it.each(['', 'no transaction', muxed])('is not "%s"', (text) =>
    expect(readChallenge(server, account, text)).toEqual(invalid),
  )

  it('is invalid without our signature, with a memo, or with a sendable sequence number', () => {
    const operation = Operation.manageData({ name: `${domain} auth`, value: 'x'.repeat(64), source: account })
    const built = (sequence: string, signer: Keypair) => {
      const builder = new TransactionBuilder(new Account(service.publicKey(), sequence), {
        fee: '100',
        networkPassphrase,
        timebounds: { minTime: 0, maxTime: 4_000_000_000 },
      })
      const transaction = builder.addOperation(operation).build()
      transaction.sign(signer)
      return transaction.toXdr()
    }
    const withMemo = WebAuth.buildChallengeTx(service, account, domain, 900, networkPassphrase, domain, '7')
    for (const text of [built('-1', stranger), built('0', service), withMemo]) {
      expect(readChallenge(server, account, text)).toEqual(invalid)
    }
  })
})

describe('the signatures of a challenge', () => {
  let envelopeXdr: string
  beforeAll(async () => {
    envelopeXdr = (await challenge()).envelopeXdr
  })
  const shared = (mediumThreshold: number, own: number): Authority => ({
    signers: [
      { key: account, weight: own },
      { key: cosigner.publicKey(), weight: 1 },
    ],
    lowThreshold: 0,
    mediumThreshold,
    highThreshold: 0,
  })
  const judged = (authority: Authority | null, ...keys: ReadonlyArray<Keypair>) =>
    verifyChallenge(server, account, authority, keys.length === 0 ? envelopeXdr : signedBy(envelopeXdr, ...keys))

  it.each([
    { rule: 'one key of an account that takes no more', authority: shared(0, 1), keys: [wallet] },
    { rule: 'two keys that reach the threshold together', authority: shared(2, 1), keys: [wallet, cosigner] },
    { rule: 'another key than the one that names the account', authority: shared(1, 0), keys: [cosigner] },
    { rule: 'the key that names an account that does not exist', authority: null, keys: [wallet] },
  ])('are enough: $rule', ({ authority, keys }) => expect(judged(authority, ...keys)).toEqual(E.right(undefined)))

  it.each([
    { rule: 'nobody', authority: shared(0, 1), keys: [] },
    { rule: 'a stranger', authority: shared(0, 1), keys: [stranger] },
    { rule: 'a stranger beside the owner', authority: shared(0, 1), keys: [wallet, stranger] },
    { rule: 'one key where two are needed', authority: shared(2, 1), keys: [wallet] },
    { rule: 'one key twice where two are needed', authority: shared(2, 1), keys: [wallet, wallet] },
    { rule: 'a key that was given no weight', authority: shared(0, 0), keys: [wallet] },
    { rule: 'another key, for an account that does not exist', authority: null, keys: [cosigner] },
  ])('are not enough: $rule', ({ authority, keys }) => expect(judged(authority, ...keys)).toEqual(insufficient))
})
