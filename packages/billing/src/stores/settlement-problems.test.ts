import { AccountId, AssetId, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { Keypair } from '@stellar/stellar-sdk'
import { problemInWords, type SettlementOwner, type SettlementProblem } from './settlement-problems.ts'

const account = decoded(AccountId, Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(1)).publicKey())
const assetId = decoded(AssetId, `USDC:${account}`)
const native = decoded(AssetId, 'native')
const owner: SettlementOwner = { merchantId: 'mer_1', environment: 'mainnet', custody: 'service' }

describe('a problem of a settlement account', () => {
  it.each<[SettlementProblem, Partial<SettlementOwner>, string]>([
    [{ code: 'no_settlement_account' }, {}, 'quittance merchant setup --merchant mer_1 --environment mainnet'],
    [{ code: 'no_asset_accepted' }, {}, 'quittance merchant assets --merchant mer_1 --environment mainnet'],
    [{ code: 'account_missing', account, missing: stroops(15_100_000n) }, {}, `Send at least 1.51 XLM to ${account}.`],
    [{ code: 'account_underfunded', account, missing: stroops(1n) }, {}, `Send at least 0.0000001 XLM to ${account}.`],
    [{ code: 'trustline_missing', assetId }, {}, 'quittance merchant setup --merchant mer_1 --environment mainnet'],
    // Of an account in the merchant's own custody the service has no key.
    [{ code: 'trustline_missing', assetId }, { custody: 'merchant' }, 'in the wallet that holds the account'],
    [{ code: 'trustline_not_authorized', assetId }, {}, 'Ask the issuer of USDC'],
    [{ code: 'trustline_full', assetId }, {}, 'Raise the limit of the trustline'],
    // XLM has no limit to raise.
    [{ code: 'trustline_full', assetId: native }, {}, 'Pay out what the account holds.'],
  ])('names its remedy: %p of %p', (problem, changed, remedy) => {
    expect(problemInWords({ ...owner, ...changed }, problem).remedy).toContain(remedy)
  })
})
