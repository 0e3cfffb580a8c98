import {
  type AccountId,
  type ContractId,
  nextPeriodStart,
  type Stroops,
  Subscription,
  stroops,
} from '@quittance/domain'
import {
  type ContractCall,
  CUSTOMER_TRANSACTION_LIFETIME_MS,
  createCall,
  type LedgerHead,
  prepareCall,
  prepareReplacement,
  renewCall,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { noDeadline } from '../../kernel/session-kinds.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import { ensureSelling } from '../../services/freezing.ts'
import { ensureUnlisted } from '../../services/holding.ts'
import { type Network, networkOf } from '../../services/services.ts'
import { unfitBy } from '../mandates/failures.ts'
import { operatorOfNew } from '../outgoing/signing-accounts.ts'
import { type BuiltTransaction, forWallet } from '../paying/build-transaction.ts'
import { approvalFor } from '../paying/mandate-terms.ts'
import type { PayFailure } from '../paying/pay.ts'
import { accountAt } from '../paying/payable-session.ts'
import { bidOfPayer, goingPrice } from '../paying/payer-bid.ts'
import { ensureFee } from '../paying/payer-funds.ts'
import { type Answered, answered } from './contract-for-new.ts'
import { requestPrice } from './price.ts'
import { type AuthorizationRequest, authorizationRequest, offeredBy } from './request.ts'
import type { AuthorizationServices } from './services.ts'
import { factsOf } from './views.ts'

/**
 * The transaction by which a wallet gives the requested authorisation: a new mandate, with the request's
 * reference and its first charge at the next period; or a further approval, if that suffices and the wallet is that of
 * the present mandate. It pays nothing.
 */
export const authorizationTransaction = async (
  services: AuthorizationServices,
  id: string,
  wallet: AccountId,
): Promise<E.Either<PayFailure, BuiltTransaction>> => {
  const found = await authorizationRequest(services, id)
  if (E.isLeft(found)) return found
  const { scope, progress } = found.right
  if (progress.status !== 'open') return E.left({ _tag: 'CheckoutNotOpen', status: progress.status })
  const selling = await ensureSelling(services, scope.merchantId)
  if (E.isLeft(selling)) return selling
  const unlisted = await ensureUnlisted(services, [wallet])
  if (E.isLeft(unlisted)) return unlisted
  const network = networkOf(services, scope.environment)
  if (E.isLeft(network)) return network
  const { gateway } = network.right
  const request = forWalletOf(found.right, wallet)
  const price = await requestPrice(services, request)
  if (E.isLeft(price)) return price
  const { quote, cap } = price.right
  const head = await gateway.latestLedger()()
  if (E.isLeft(head)) return head
  const account = await accountAt(network.right, wallet, [])
  if (E.isLeft(account)) return account
  const where = answered(request, network.right, wallet)
  const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
  if (E.isLeft(settlement)) return settlement
  const { operator: own } = settlement.right
  const operator =
    (await operatorOfNew(services, scope.environment, own)) ?? found.right.state.authorization.mandate.operator
  const call = await callFor(request, network.right, where, cap, head.right, { customer: wallet, operator })
  if (E.isLeft(call)) return call
  const bid = bidOfPayer(await goingPrice(gateway, 'contract'))
  const order = {
    sourceAccount: wallet,
    nextAccountSequence: account.right.accountSequence + 1n,
    ledgerClosedAt: head.right.closedAt,
    lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
    notAfter: null,
    fee: bid,
    networkPassphrase: gateway.networkPassphrase,
  }
  const prepare = where.replaces === null ? prepareCall : prepareReplacement
  const prepared = await prepare(gateway)(order, call.right)()
  if (E.isLeft(prepared)) {
    const failure = prepared.left
    return E.left(failure._tag === 'LedgerUnreachable' ? failure : unfitBy(failure, { expiresAt: noDeadline }))
  }
  const { envelopeXdr, maxTime, resourceFee } = prepared.right
  const fee = ensureFee(account.right, stroops(bid + resourceFee))
  if (E.isLeft(fee)) return fee
  const offered = await offerIn(services, request, where.contract)
  if (E.isLeft(offered)) return offered
  const mandate = factsOf(request, { cap, amount: quote.amount }, where)
  return forWallet(services, network.right, { envelopeXdr, maxTime, kind: 'mandate', sendMax: null, mandate })
}

/** Records where the mandate is offered before its transaction is handed out: any process looks for it there from then on. */
const offerIn = async (
  { store, clock }: AuthorizationServices,
  { id, scope, subscriptionId }: AuthorizationRequest,
  contract: ContractId,
): Promise<E.Either<PayFailure, unknown>> => {
  const at = clock.now(scope.environment)
  const context = stepContextOf(scope, id, `offer in ${contract}`, at)
  const decide = Subscription.decider.decide({ type: 'OfferAuthorization', authorizationId: id, contract, at })
  const recorded = await stepUnless(store)(['AuthorizationNotRequested'], Subscription, subscriptionId, context, decide)
  if (E.isLeft(recorded)) return recorded
  return recorded.right === null ? E.left({ _tag: 'CheckoutNotOpen', status: 'failed' }) : recorded
}

/** A wallet other than that of the present mandate can only give a new mandate. */
const forWalletOf = (asked: AuthorizationRequest, wallet: AccountId): AuthorizationRequest =>
  asked.state.authorization.mandate.customer === wallet
    ? asked
    : { ...asked, kind: 'mandate', ...offeredBy(asked.state, asked.id, 'mandate') }

/** The call for the wallet to sign, with the same account and asset as before. */
const callFor = async (
  { reference, state, kind, assetId, terms: { interval, intervalCount } }: AuthorizationRequest,
  network: Network,
  { contract, replaces }: Answered,
  cap: Stroops,
  head: LedgerHead,
  { customer, operator }: { readonly customer: AccountId; readonly operator: AccountId },
): Promise<E.Either<PayFailure, ContractCall>> => {
  const { networkPassphrase } = network.gateway
  const { mandateId: mandate, payee } = state.authorization.mandate
  const firstChargeAt = nextPeriodStart(state)
  const approved = { contract, customer, assetId, cap, firstChargeAt, interval, intervalCount }
  const approval = await approvalFor(network, head, approved)
  if (E.isLeft(approval)) return approval
  if (kind === 'allowance')
    return E.right(renewCall({ contract, customer, assetId, mandate, ...approval.right }, networkPassphrase))
  const parties = { contract, customer, payee, operator, assetId, intervalUnit: interval, intervalCount }
  const terms = { ...parties, firstChargeAt, endsAt: null, firstAmount: stroops(0n), reference }
  const ending = replaces === null ? {} : { replaces }
  return E.right(createCall({ ...terms, ...ending, ...approval.right }, networkPassphrase))
}
