import type { FailureCause, Stroops, SubscriptionRecord, UnixMs } from '@quittance/domain'
import { type LedgerUnreachable, type MandateStanding, readMandates } from '@quittance/ledger'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { type Network, networkOf, type Services } from '../../services/services.ts'
import { priceAt } from './price.ts'
import type { Standing } from './standing.ts'

/** What would keep a charge of this amount from being made now, as the ledger shows the customer; null where nothing would. */
export const foresee = (
  { gateway }: Pick<Network, 'gateway'>,
  { authorization, details }: SubscriptionRecord,
  amount: Stroops,
): TE.TaskEither<LedgerUnreachable, FailureCause | null> => {
  const { contract, mandateId: mandate, customer, approval } = authorization.mandate
  return TE.map(([found]: ReadonlyArray<MandateStanding>) =>
    found === undefined ? null : problemOf(found, amount, approval.allowanceExpiryLedger),
  )(readMandates(gateway)([{ contract, mandate, customer, assetId: details.assetId }]))
}

/** `expiry` is the last ledger of the approval that is on record. */
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

/** As `foresee`, of the next charge by its price now; null as well where nobody can say. */
export const foreseenNow = (
  services: Services,
  { scope, state }: Standing<SubscriptionRecord>,
  at: UnixMs,
): TE.TaskEither<ProcessFailure, FailureCause | null> =>
  pipe(
    TE.fromEither(networkOf(services, scope.environment)),
    TE.bindTo('network'),
    TE.bindW('quote', () => priceAt(services)(scope, state.terms.price, state.details, at)),
    TE.chainW(({ network, quote }) => foresee(network, state, quote.amount)),
    TE.orElseW((failure) => (failure._tag === 'StoreUnavailable' ? TE.left(failure) : TE.right(null))),
  )
