import { type FailureCause, priceAhead, type Stroops, type SubscriptionRecord, type UnixMs } from '@quittance/domain'
import { type LedgerUnreachable, type MandateStanding, readMandates } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { type Network, networkOf, type Services } from '../../services/services.ts'
import type { CurrentSubscription } from './due-work.ts'
import { priceAt } from './price.ts'

/**
 * Why a charge of this amount would fail now, by the customer's wallet and mandate on the ledger; null if it would not.
 */
export const preflight = async (
  { gateway }: Pick<Network, 'gateway'>,
  { authorization, details }: SubscriptionRecord,
  amount: Stroops,
): Promise<E.Either<LedgerUnreachable, FailureCause | null>> => {
  const { contract, mandateId: mandate, customer, approval } = authorization.mandate
  const read = await readMandates(gateway)([{ contract, mandate, customer, assetId: details.assetId }])()
  if (E.isLeft(read)) return read
  const [found] = read.right
  return E.right(found === undefined ? null : problemOf(found, amount, approval.allowanceExpiryLedger))
}

/** `expiry` is the last ledger of the recorded approval. */
export const problemOf = (
  { record, allowance, wallet, asOf }: MandateStanding,
  amount: Stroops,
  expiry: number,
): FailureCause | null => {
  if (record === null || record.isCancelled) return 'mandate_ended'
  if (amount > record.cap) return 'above_cap'
  if (wallet === null) return 'account_gone'
  if (!wallet.hasTrustline) return 'no_trustline'
  if (!wallet.isAuthorized) return 'not_authorized'
  if (allowance === null) return asOf > expiry ? 'allowance_expired' : 'allowance_too_low'
  if (allowance.amount < amount) return 'allowance_too_low'
  return wallet.spendable < amount ? 'balance_too_low' : null
}

/** Why the next charge would fail now, by the price that it will have; null also if the price or the ledger cannot be read. */
export const preflightNow = async (
  services: Pick<Services, 'settlementOf' | 'networks'>,
  { scope, state }: CurrentSubscription<SubscriptionRecord>,
  at: UnixMs,
): Promise<E.Either<ProcessFailure, FailureCause | null>> => {
  const network = networkOf(services, scope.environment)
  if (E.isLeft(network)) return E.right(null)
  const quote = await priceAt(services, scope, priceAhead(state), state.details, at)
  if (E.isLeft(quote)) return quote.left._tag === 'StoreUnavailable' ? E.left(quote.left) : E.right(null)
  const problem = await preflight(network.right, state, quote.right.amount)
  return E.isLeft(problem) ? E.right(null) : problem
}
