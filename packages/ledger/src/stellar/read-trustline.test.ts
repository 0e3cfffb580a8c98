import { AssetId, stroops, unixMs } from '@quittance/domain'
import { Account, Asset, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import { named } from '../named.ts'
import { buildSetUp } from './build-set-up.ts'
import { keyPairFromSeed } from './keys.ts'
import { readTrustline } from './read-trustline.ts'

const networkPassphrase = 'A Network For Tests'
const [wallet, issuer, other] = [1, 2, 3].map((byte) => keyPairFromSeed(new Uint8Array(32).fill(byte)).accountId)
if (wallet === undefined || issuer === undefined || other === undefined) throw new Error('no accounts')
const assetId = named(AssetId, `USDC:${issuer}`)
const asset = new Asset('USDC', issuer)

const envelopeOf = (...operations: ReadonlyArray<ReturnType<typeof Operation.changeTrust>>): string => {
  const builder = new TransactionBuilder(new Account(wallet, '41'), {
    fee: '100',
    networkPassphrase,
    timebounds: { minTime: 0, maxTime: 0 },
  })
  for (const operation of operations) builder.addOperation(operation)
  return builder.build().toXdr()
}

describe('a trustline that an envelope asks for', () => {
  it('is the one that we build', () => {
    const { envelopeXdr } = buildSetUp({
      sourceAccount: wallet,
      nextAccountSequence: 42n,
      account: wallet,
      setUp: { _tag: 'trustlines', sponsor: null, changes: [{ assetId, limit: 'maximum' }] },
      ledgerClosedAt: unixMs(1_793_000_000_000),
      lifetimeMs: 300_000,
      fee: stroops(200n),
      networkPassphrase,
    })
    expect(readTrustline(envelopeXdr)).toEqual({ account: wallet, assetId })
  })

  it.each([
    ['a removal', [Operation.changeTrust({ asset, limit: '0' })]],
    ['that of another account', [Operation.changeTrust({ asset, source: other })]],
    ['one with something beside it', [Operation.changeTrust({ asset }), Operation.changeTrust({ asset })]],
    ['a payment', [Operation.payment({ destination: other, asset, amount: '1' })]],
    ['nothing', []],
  ])('is not %s', (_, operations) => expect(readTrustline(envelopeOf(...operations))).toBeNull())

  it('is not in a text that is no envelope', () => expect(readTrustline('AAAA')).toBeNull())
})
