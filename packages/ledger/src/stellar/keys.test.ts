import { stroops, unixMs } from '@quittance/domain'
import { FeeBumpTransaction, Keypair, TransactionBuilder } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { localSigner } from '../signing/local-signer.ts'
import type { SigningKey } from '../signing/signing-key.ts'
import { NATIVE } from './assets.ts'
import { buildPayment, CUSTOMER_TRANSACTION_LIFETIME_MS } from './build-payment.ts'
import { keyPairFromSeed, signerOfSecret, signTransaction } from './keys.ts'
import { readEnvelope } from './read-envelope.ts'

const passphrase = 'A Network For Tests'
const payer = keyPairFromSeed(new Uint8Array(32).fill(1))
const payee = keyPairFromSeed(new Uint8Array(32).fill(2))

describe('a key pair', () => {
  it('is determined by its 32 bytes', () =>
    expect(payer).toEqual({
      accountId: 'GCFIRY65OQE7DFP5KLNS2PF2LVZMUZYJX4OZIEQ36N2IQANUB5XVYOJR',
      secret: 'SAAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQC5MY',
    }))
  it('signs only with its secret', () => {
    expect(signerOfSecret(payer.secret)?.publicKey).toBe(payer.accountId)
    expect(['', payer.accountId, `${payer.secret}A`].map(signerOfSecret)).toEqual([null, null, null])
  })
  it.each([0, 31, 33])('is not made of %i bytes', (length) =>
    expect(() => keyPairFromSeed(new Uint8Array(length))).toThrow(),
  )
})

describe('signing a transaction', () => {
  const signer = localSigner(new Uint8Array(32).fill(1))
  const built = buildPayment({
    sourceAccount: payer.accountId,
    accountSequence: 41n,
    destination: payee.accountId,
    assetId: NATIVE,
    amount: stroops(1n),
    memoText: 'chk_1',
    ledgerClosedAt: unixMs(1_000_000),
    lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
    fee: stroops(100n),
    networkPassphrase: passphrase,
  })
  if (E.isLeft(built)) throw new Error(built.left._tag)
  const { envelopeXdr, transactionHash } = built.right
  const bySdk = (xdr: string): string => {
    const transaction = TransactionBuilder.fromXdr(xdr, passphrase)
    transaction.sign(Keypair.fromSecret(payer.secret))
    return transaction.toXdr()
  }

  it("yields the SDK's bytes, with the same hash", async () => {
    const signed = bySdk(envelopeXdr)
    expect(await signTransaction(envelopeXdr, passphrase, signer)()).toEqual(E.right(signed))
    expect(readEnvelope(signed, passphrase)).toMatchObject(E.right({ signatureCount: 1, transactionHash }))
  })
  it('signs only the outer transaction of a fee bump', async () => {
    const inner = TransactionBuilder.fromXdr(bySdk(envelopeXdr), passphrase)
    if (inner instanceof FeeBumpTransaction) throw new Error('a fee bump already')
    const bump = TransactionBuilder.buildFeeBumpTransaction(payee.accountId, '200', inner, passphrase).toXdr()
    expect(await signTransaction(bump, passphrase, signer)()).toEqual(E.right(bySdk(bump)))
  })
  it('names the transaction to the signer', async () => {
    const asked: Array<unknown> = []
    const refusal = { _tag: 'SignerUnavailable', cause: 'a test' } as const
    const refusing: SigningKey = {
      publicKey: payer.accountId,
      sign: (bytes, purpose) => {
        asked.push([Buffer.from(bytes).toString('hex'), purpose])
        return TE.left(refusal)
      },
    }
    expect(await signTransaction(envelopeXdr, passphrase, refusing)()).toEqual(E.left(refusal))
    expect(asked).toEqual([[transactionHash, { _tag: 'transaction', transactionHash }]])
  })
  it('throws for a malformed envelope', () => expect(() => signTransaction('AAAA', passphrase, signer)).toThrow())
})
