import { LedgerSequence, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { Charged } from '@quittance/ledger'
import { failureCause } from './failure-cause.ts'

const asOf = decoded(LedgerSequence, 1_000)
const wallet = { spendable: stroops(500n), hasTrustline: true, isAuthorized: true }
const allowance = { amount: 500n, liveUntil: 2_000 }
/** A customer with whom nothing is wrong any more, but for what a test changes. */
const seen = (changed: Partial<Charged['standing']> = {}, expiry = 2_000, canBeReceived = true): Charged => ({
  standing: { record: null, isArchived: false, allowance, lastExpiry: expiry, wallet, asOf, ...changed },
  allowanceExpiryLedger: decoded(LedgerSequence, expiry),
  canBeReceived,
  failed: null,
})

describe('the cause of a refused charge', () => {
  it.each([
    ['10', 'balance_too_low'],
    ['9', 'allowance_too_low'],
    ['13', 'no_trustline'],
    ['11', 'not_authorized'],
    ['6', 'account_gone'],
    ['107', 'above_cap'],
    ['111', 'mandate_ended'],
    ['112', 'mandate_ended'],
    ['114', 'contract_refused'],
    ['115', 'contract_refused'],
    ['117', 'contract_refused'],
    ['118', 'contract_refused'],
    ['999', 'contract_refused'],
  ])('%s by itself: %s', (code, cause) => expect(failureCause(code, null)).toBe(cause))

  it.each([
    ['9', seen({ allowance: { ...allowance, amount: 99n } }), 'allowance_too_low'],
    ['9', seen({ allowance: null }), 'allowance_too_low'],
    ['9', seen({ allowance: null, lastExpiry: null }, 999), 'allowance_expired'],
    ['6', seen({ wallet: null }), 'account_gone'],
    ['10', seen(), 'balance_too_low'],
    ['9', seen(), 'allowance_too_low'],
    ['13', seen(), 'no_trustline'],
    ['11', seen(), 'not_authorized'],
    ['10', seen({}, 2_000, false), 'contract_refused'],
    ['13', seen({}, 2_000, false), 'contract_refused'],
  ])('%s where the ledger shows the parties so: %#', (code, standing, cause) =>
    expect(failureCause(code, standing)).toBe(cause),
  )
})
