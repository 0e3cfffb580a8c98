import { Asset, Operation, type xdr } from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import {
  accountEntry,
  funded,
  keyNumber,
  outcomeOf,
  sandboxInMemory,
  signed,
  trustline,
  usdc,
  usdcIssuer,
} from '../testing/fixture.ts'

const holder = keyNumber(1)
const stranger = keyNumber(2)
const trustor = holder.publicKey()
const revocable = Operation.setOptions({ setFlags: 2 })
const reserved = Operation.setOptions({ setFlags: 10 })

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, holder, stranger)
})

const asIssuer = (...operations: ReadonlyArray<xdr.Operation>) =>
  outcomeOf(sandbox, signed(sandbox, usdcIssuer, operations))
const asHolder = (...operations: ReadonlyArray<xdr.Operation>) =>
  outcomeOf(sandbox, signed(sandbox, holder, operations))
const trust = Operation.changeTrust({ asset: usdc, limit: '1000' })
const flags = () => trustline(sandbox, holder, usdc).flags
const issue = (amount: string) => asIssuer(Operation.payment({ destination: trustor, asset: usdc, amount }))
const offers = () => Operation.manageSellOffer({ selling: usdc, buying: Asset.native(), amount: '5', price: '9' })

type Flags = Parameters<typeof Operation.setTrustLineFlags>[0]['flags']
const setFlags = (set: Flags) => Operation.setTrustLineFlags({ trustor, asset: usdc, flags: set })
const maintain = { authorized: false, authorizedToMaintainLiabilities: true }

describe('the flags of a trustline', () => {
  it('only an issuer with the revocable flag may revoke authorization', () => {
    asHolder(trust)
    expect(asIssuer(setFlags({ authorized: false }))).toBe('setTrustLineFlagsCantRevoke')
    expect(asIssuer(setFlags(maintain))).toBe('setTrustLineFlagsCantRevoke')
    asIssuer(revocable)
    expect(asIssuer(setFlags(maintain))).toBe('txSuccess')
    expect(flags()).toBe(2)
    expect(asIssuer(setFlags({ authorizedToMaintainLiabilities: false, authorized: true }))).toBe('txSuccess')
    expect(flags()).toBe(1)
  })

  it('a trustline has one of the two authorizations, not both', () => {
    asHolder(trust)
    expect(asIssuer(setFlags({ authorizedToMaintainLiabilities: true }))).toBe('setTrustLineFlagsInvalidState')
    const both = { authorized: true, authorizedToMaintainLiabilities: true }
    expect(asIssuer(setFlags(both))).toBe('setTrustLineFlagsMalformed')
  })

  it('only the issuer sets flags, and only on an existing trustline', () => {
    expect(asIssuer(setFlags({ authorized: true }))).toBe('setTrustLineFlagsNoTrustLine')
    expect(asHolder(setFlags({ authorized: true }))).toBe('setTrustLineFlagsMalformed')
    const own = Operation.setTrustLineFlags({
      trustor: usdcIssuer.publicKey(),
      asset: usdc,
      flags: { authorized: true },
    })
    expect(asIssuer(own)).toBe('setTrustLineFlagsMalformed')
  })

  it('revoking all authorization removes the holder’s offers in the asset', () => {
    asHolder(trust)
    issue('10')
    asIssuer(revocable)
    asHolder(offers())
    asIssuer(setFlags(maintain))
    expect(accountEntry(sandbox, holder).numSubEntries).toBe(2)
    expect(asHolder(offers())).toBe('manageSellOfferSellNotAuthorized')
    asIssuer(setFlags({ authorizedToMaintainLiabilities: false }))
    expect(accountEntry(sandbox, holder).numSubEntries).toBe(1)
    const { ext, balance } = trustline(sandbox, holder, usdc)
    expect(balance).toBe(100_000_000n)
    expect(ext.type === 'v1' && ext.v1.liabilities).toMatchObject({ selling: 0n, buying: 0n })
  })

  it('the older allowTrust operation sets flags by asset code', () => {
    const allow = (authorize: 0 | 1 | 2) => Operation.allowTrust({ trustor, assetCode: 'USDC', authorize })
    expect(asIssuer(allow(1))).toBe('allowTrustNoTrustLine')
    asHolder(trust)
    expect(asIssuer(allow(0))).toBe('allowTrustCantRevoke')
    expect(asIssuer(allow(2))).toBe('allowTrustCantRevoke')
    asIssuer(revocable)
    expect(asIssuer(allow(0))).toBe('txSuccess')
    expect(flags()).toBe(0)
    expect(asIssuer(allow(2))).toBe('txSuccess')
    expect(flags()).toBe(2)
    const self = Operation.allowTrust({ trustor: usdcIssuer.publicKey(), assetCode: 'USDC', authorize: 1 })
    expect(asIssuer(self)).toBe('allowTrustMalformed')
  })
})

describe('clawing back', () => {
  const clawback = (amount: string, from = trustor) => Operation.clawback({ asset: usdc, from, amount })

  it("clawback needs the issuer's flag at the trustline's creation", () => {
    asHolder(trust)
    issue('10')
    asIssuer(reserved)
    expect(asIssuer(clawback('1'))).toBe('clawbackNotClawbackEnabled')
    asHolder(Operation.payment({ destination: usdcIssuer.publicKey(), asset: usdc, amount: '10' }))
    asHolder(Operation.changeTrust({ asset: usdc, limit: '0' }), trust)
    expect(flags()).toBe(5)
    issue('10')
    expect(asIssuer(clawback('4'))).toBe('txSuccess')
    expect(trustline(sandbox, holder, usdc).balance).toBe(60_000_000n)
    expect(asIssuer(setFlags({ clawbackEnabled: false }))).toBe('txSuccess')
    expect(asIssuer(clawback('1'))).toBe('clawbackNotClawbackEnabled')
  })

  it('clawback takes unlocked balance, even from a deauthorized holder', () => {
    asIssuer(reserved)
    asHolder(trust)
    issue('10')
    asHolder(offers())
    expect(asIssuer(clawback('5.0000001'))).toBe('clawbackUnderfunded')
    asIssuer(setFlags({ authorized: false }))
    expect(asIssuer(clawback('10'))).toBe('txSuccess')
  })

  it("an issuer claws back only its own asset, from another account's trustline", () => {
    expect(asIssuer(clawback('1'))).toBe('clawbackNoTrust')
    expect(asIssuer(clawback('1', usdcIssuer.publicKey()))).toBe('clawbackMalformed')
    expect(asHolder(Operation.clawback({ asset: usdc, from: stranger.publicKey(), amount: '1' }))).toBe(
      'clawbackMalformed',
    )
  })
})
