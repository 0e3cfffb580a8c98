import { right } from '@quittance/domain/testing/outcomes'
import { Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import type { KeysOf } from '../gateway.ts'
import { sequence } from '../testing/ledgers.ts'
import { outgoing, type Unusual } from '../testing/outgoing.ts'
import { nobody, payee, payer, type StartedSandbox, sandboxPassphrase, startSandbox } from '../testing/sandbox.ts'
import { keyPairFromSeed } from './keys.ts'

let network: StartedSandbox
let out: ReturnType<typeof outgoing>
beforeAll(async () => {
  network = await startSandbox()
  out = outgoing(network)
})
afterAll(() => network.stop())

const pay = (source?: string) =>
  Operation.payment({
    destination: payee.accountId,
    asset: Asset.native(),
    amount: '0.0000007',
    ...(source === undefined ? {} : { source }),
  })
/** The transactions of ours in the ledger that closes with this in it. */
const ownIn = async (envelopeXdr: string, ...ours: ReadonlyArray<string>) => {
  right(await out.sent(envelopeXdr))
  const { ledgers } = right(await network.gateway.readLedgers(sequence(network.sandbox.close().sequence), 1, null)())
  return [...ledgers].flatMap(({ ownTransactions }) =>
    ownTransactions((account) => (ours.includes(account) ? keysOf(account) : [])),
  )
}
let keysOf: KeysOf = (account) => [account]
const built = (operations: Parameters<typeof out.built>[0], unusual: Unusual = {}) => out.built(operations, unusual)

describe('transactions that use accounts of ours', () => {
  it('are found by their source, with what they pay, their number and their outcome', async () => {
    const { envelopeXdr, transactionHash } = await built([pay(), pay()])
    const [own, ...more] = await ownIn(envelopeXdr, payer.accountId)
    const paid = { from: payer.accountId, destination: payee.accountId, muxedId: null, assetId: 'native', amount: 7n }
    expect([own, more]).toMatchObject([
      {
        outcome: { _tag: 'Succeeded', transactionHash, innerHash: null },
        envelopeXdr,
        sourceAccount: payer.accountId,
        fee: 1_000n,
        memo: { _tag: 'none' },
        signers: [payer.accountId],
        payments: [
          { operationIndex: 0, ...paid },
          { operationIndex: 1, ...paid },
        ],
        isCall: false,
        isSetUp: false,
      },
      [],
    ])
    const view = right(await network.gateway.accountView(payer.accountId, [])())
    expect(own?.accountSequence).toBe(view?.accountSequence)
  })

  it('are found by the source of an operation, which lends another account its money', async () => {
    const signers = [payee, payer]
    const { envelopeXdr } = await built([pay(payer.accountId)], { source: payee, signers })
    const [own] = await ownIn(envelopeXdr, payer.accountId)
    expect(own).toMatchObject({
      sourceAccount: payee.accountId,
      signers: [payer.accountId],
      payments: [{ operationIndex: 0, from: payer.accountId }],
    })
  })

  it('are found inside a fee bump, by the signature of the transaction inside', async () => {
    const { envelopeXdr, transactionHash } = await built([pay()])
    const bumped = out.bumped(envelopeXdr, payee, 2_000n)
    expect(await ownIn(bumped.envelopeXdr, payer.accountId)).toMatchObject([
      { outcome: { transactionHash: bumped.transactionHash, innerHash: transactionHash }, envelopeXdr },
    ])
  })

  it('are found when they failed', async () => {
    const toNobody = Operation.payment({ destination: nobody.accountId, asset: Asset.native(), amount: '1' })
    const { envelopeXdr } = await built([toNobody])
    expect(await ownIn(envelopeXdr, payer.accountId)).toMatchObject([
      { outcome: { _tag: 'Failed' }, payments: [{ destination: nobody.accountId }] },
    ])
  })

  it('are not those of strangers who pay us, nor of an account that only consents to a trustline', async () => {
    expect(await ownIn((await built([pay()])).envelopeXdr, payee.accountId)).toEqual([])
    const trust = Operation.changeTrust({
      asset: new Asset('ABC', payee.accountId),
      source: payer.accountId,
    })
    const { envelopeXdr } = await built([trust], { source: payee, signers: [payee, payer] })
    expect(await ownIn(envelopeXdr, payer.accountId)).toEqual([])
  })

  it('are not those that only another key of the account has signed', async () => {
    const cosigner = Keypair.random()
    const adding = Operation.setOptions({ signer: { ed25519PublicKey: cosigner.publicKey(), weight: 1 } })
    const [added] = await ownIn((await built([adding])).envelopeXdr, payer.accountId)
    expect(added?.rotations).toEqual([])
    const { envelopeXdr } = await built([pay()], { signers: [] })
    const transaction = TransactionBuilder.fromXdr(envelopeXdr, sandboxPassphrase)
    transaction.sign(cosigner)
    expect(await ownIn(transaction.toXdr(), payer.accountId)).toEqual([])
  })

  it('are those that a later key of ours has signed, and name the key that takes the weight of an earlier one', async () => {
    const [later, last] = [keyPairFromSeed(new Uint8Array(32).fill(41)), keyPairFromSeed(new Uint8Array(32).fill(42))]
    const account = payee.accountId
    keysOf = (of) => [of, later.accountId]
    const rotate = Operation.setOptions({ masterWeight: 0, signer: { ed25519PublicKey: later.accountId, weight: 1 } })
    const first = await ownIn((await built([rotate], { source: payee })).envelopeXdr, account)
    expect(first).toMatchObject([{ rotations: [{ operationIndex: 0, account, to: later.accountId }], payments: [] }])
    const paid = await built([pay(), pay()], { source: payee, signers: [later] })
    expect(await ownIn(paid.envelopeXdr, account)).toMatchObject([{ signers: [account], rotations: [] }])
    const again = [
      Operation.setOptions({ signer: { ed25519PublicKey: later.accountId, weight: 0 } }),
      Operation.setOptions({ signer: { ed25519PublicKey: last.accountId, weight: 1 } }),
    ]
    const second = await ownIn((await built(again, { source: payee, signers: [later] })).envelopeXdr, account)
    expect(second).toMatchObject([{ rotations: [{ operationIndex: 1, account, to: last.accountId }] }])
    expect(await ownIn((await built([pay()], { source: payee, signers: [last] })).envelopeXdr, account)).toEqual([])
  })
})
