import { stroops, unixMs } from '@quittance/domain'
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { NATIVE } from './assets.ts'
import { buildPayment, CUSTOMER_TRANSACTION_LIFETIME_MS } from './build-payment.ts'
import { keyPairFromSeed, signTransaction } from './keys.ts'
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
  it.each([0, 31, 33])('is not made of %i bytes', (length) =>
    expect(() => keyPairFromSeed(new Uint8Array(length))).toThrow(),
  )
})

describe('signing a transaction', () => {
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
  const signed = signTransaction(envelopeXdr, payer.secret, passphrase)

  it('adds one signature that the account verifies, and keeps the hash', () => {
    const [signature] = TransactionBuilder.fromXdr(signed, passphrase).signatures
    expect(
      signature !== undefined &&
        Keypair.fromPublicKey(payer.accountId).verify(Buffer.from(transactionHash, 'hex'), signature.signature),
    ).toBe(true)
    expect(
      E.map(({ signatureCount, ...rest }: { signatureCount: number }) => [signatureCount, rest])(
        readEnvelope(signed, passphrase),
      ),
    ).toEqual(E.right([1, expect.objectContaining({ transactionHash })]))
  })
  it('is a defect with a secret that is none', () =>
    expect(() => signTransaction(envelopeXdr, payer.accountId, passphrase)).toThrow())
})
