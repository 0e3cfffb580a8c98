import { LedgerSequence, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { Charged } from '@quittance/ledger'
import { failureCause } from './failure-cause.ts'

const asOf = decoded(LedgerSequence, 1_000)
const wallet = { spendable: stroops(500n), hasTrustline: true, isAuthorized: true }
const allowance = { amount: 500n, liveUntil: 2_000 }
/** A charge of 100 by a customer with whom nothing is wrong, but for what a test changes. */
const seen = (changed: Partial<Charged['standing']> = {}, expiry = 2_000): Charged => ({
  standing: { record: null, isArchived: false, allowance, lastExpiry: expiry, wallet, asOf, ...changed },
  amount: stroops(100n),
  allowanceExpiryLedger: decoded(LedgerSequence, expiry),
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
    ['10', seen({ wallet: { ...wallet, spendable: stroops(99n) } }), 'balance_too_low'],
    ['9', seen({ allowance: { ...allowance, amount: 99n } }), 'allowance_too_low'],
    ['9', seen({ allowance: null }), 'allowance_too_low'],
    ['9', seen({ allowance: null, lastExpiry: null }, 999), 'allowance_expired'],
    ['13', seen({ wallet: { ...wallet, hasTrustline: false } }), 'no_trustline'],
    ['11', seen({ wallet: { ...wallet, isAuthorized: false } }), 'not_authorized'],
    ['6', seen({ wallet: null }), 'account_gone'],
    ['10', seen(), 'contract_refused'],
    ['13', seen(), 'contract_refused'],
    ['11', seen(), 'contract_refused'],
  ])('%s where the ledger shows the customer so: %#', (code, standing, cause) =>
    expect(failureCause(code, standing)).toBe(cause),
  )
})
