import {
  amountDue,
  assetCode,
  type CheckoutRejection,
  currentQuote,
  decimalFromCents,
  decimalFromStroops,
  type NewQuote,
  type Quote,
  type Stroops,
  shownStatus,
  stroops,
} from '@quittance/domain'
import { payUri, type SignerUnavailable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { sessionsOf } from '../../kernel/session-kinds.ts'
import { timestamp } from '../../resources/fields.ts'
import { priceCurrency } from '../../resources/price-currency.ts'
import { ensureSelling, type SalesFrozen } from '../../services/freezing.ts'
import { ensureUnlisted } from '../../services/holding.ts'
import { quoteFor } from '../../services/quote-for.ts'
import type { NetworkNotConfigured, Services } from '../../services/services.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'
import type { QuoteFailure } from '../../stores/quotes/quoter.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { ensurePayable, forPayers, type PayeeCannotBePaid } from '../settlement-account/payable-account.ts'
import { expectedFacts, type MandateFacts } from './mandate-facts.ts'
import type { PayerServices } from './services.ts'
import { type PublicSession, payerContext, publicSession } from './session.ts'

export type QuoteViewFailure =
  | ExecuteFailure
  | StoreUnavailable
  | CheckoutNotFound
  | QuoteFailure
  | MerchantNotReady
  | PayeeCannotBePaid
  | NetworkNotConfigured
  | SignerUnavailable
  | CheckoutRejection
  | SalesFrozen

/**
 * A session with the quote to show; null if the session ended before it was ever quoted. `due` is the amount to pay by
 * that quote; null once nothing can be paid any more, even before the end of the session is recorded.
 */
export type QuotedSession = {
  readonly session: PublicSession
  readonly quote: Quote | null
  readonly due: Stroops | null
}

/** The session with a valid quote; a stale quote is replaced by a new one, which is recorded. */
export const quotedSession = async (
  services: PayerServices,
  id: string,
): Promise<E.Either<QuoteViewFailure, QuotedSession>> => {
  const found = await publicSession(services, id)
  if (E.isLeft(found)) return found
  const session = found.right
  const { state } = session
  const context = payerContext(services, session.found)
  const isPayable = state.status === 'open' && context.at < state.details.expiresAt
  if (!isPayable) return E.right({ session, quote: state.quotes.at(-1) ?? null, due: null })
  const selling = await ensureSelling(services, session.found.merchantId)
  if (E.isLeft(selling)) return selling
  const unlisted = await ensureUnlisted(services, await walletsOf(services, session))
  if (E.isLeft(unlisted)) return unlisted
  const known = currentQuote(state, context.at)
  if (known !== null) return E.right({ session, quote: known, due: amountDue(state, known) })
  return requoted(services, session, context)
}

/** The wallets that the customer has proven: of others nobody knows whose they are. */
const walletsOf = async (
  { readModels }: Pick<Services, 'readModels'>,
  { state }: PublicSession,
): Promise<ReadonlyArray<string>> => {
  const customerIds = state.customerId === null ? [] : await readModels.customerFamily.allOf(state.customerId)
  const wallets = (
    await Promise.all(customerIds.map(async (id) => (await readModels.customers.withId(id))?.row.wallets ?? []))
  ).flat()
  return wallets.flatMap(({ wallet: { address, via } }) => (via === 'proof' ? [address] : []))
}

const requoted = async (
  services: PayerServices,
  session: PublicSession,
  context: CommandContext,
): Promise<E.Either<QuoteViewFailure, QuotedSession>> => {
  const { id, found } = session
  const sessions = sessionsOf(id)
  const quote = await quoteFor(services, found, context.at)
  if (E.isLeft(quote)) return quote
  const payable = await ensureQuotePayable(services, session, quote.right)
  if (E.isLeft(payable)) return payable
  const decide = sessions.decider.decide({ type: 'IssueQuote', at: context.at, quote: quote.right })
  const issued = await execute(services.store)(sessions, id, context, decide)
  if (E.isLeft(issued)) return issued
  const { state } = issued.right
  const current = state.status === 'absent' ? null : currentQuote(state, context.at)
  if (state.status === 'absent' || current === null) throw new Error(`${id} has no quote after it was issued one`)
  return E.right({ session: { ...session, state }, quote: current, due: amountDue(state, current) })
}

/**
 * Rejects an amount that cannot arrive. If no node answers, the quote stands: the ledger decides when the payment is
 * made.
 */
const ensureQuotePayable = async (
  services: Pick<Services, 'settlementOf' | 'seenAccounts' | 'networks'>,
  { found: { merchantId, environment }, state: { details, received } }: PublicSession,
  quote: NewQuote,
): Promise<E.Either<QuoteViewFailure, void>> => {
  const amount = stroops(quote.amount > received ? quote.amount - received : 1n)
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const { destination: account, assetId } = details
  const arrival = { settlement: settlement.right, account, assetId, amount }
  const payable = await ensurePayable(services, { merchantId, environment }, arrival)
  if (E.isRight(payable)) return payable
  const failure = forPayers(payable.left)
  return failure._tag === 'LedgerUnreachable' ? E.right(undefined) : E.left(failure)
}

/** The amount that a payer has to send, its destination, memo and deadline. */
export const quoteView = async (
  services: PayerServices,
  id: string,
): Promise<E.Either<QuoteViewFailure, QuoteView>> => {
  const quoted = await quotedSession(services, id)
  if (E.isLeft(quoted)) return quoted
  const { session, quote } = quoted.right
  const settlement = await services.settlementOf(session.found.merchantId, session.found.environment)()
  if (E.isLeft(settlement)) return settlement
  const mandate = await expectedFacts(services, session, quote)
  if (E.isLeft(mandate)) return mandate
  const { networkPassphrase } = settlement.right
  const uri = await signedUri(services, quoted.right, networkPassphrase)
  if (E.isLeft(uri)) return uri
  return E.right(render(quoted.right, networkPassphrase, mandate.right, uri.right))
}

/**
 * The URI that requests the amount due; null if nothing is due, and for a subscription, which takes no plain payment.
 */
const signedUri = async (
  { signRequest }: Pick<Services, 'signRequest'>,
  { session: { reference, state }, due }: QuotedSession,
  networkPassphrase: string,
): Promise<E.Either<SignerUnavailable, string | null>> => {
  const { destination, assetId, subscription } = state.details
  if (due === null || subscription !== undefined) return E.right(null)
  return signRequest(payUri({ destination, amount: due, assetId, memoText: reference, networkPassphrase }))()
}

const render = (
  { session: { id, reference, state }, quote, due }: QuotedSession,
  networkPassphrase: string,
  mandate: MandateFacts | null,
  sep7Uri: string | null,
) => {
  const { destination, assetId, price } = state.details
  const checkoutId: string = id
  return {
    checkout_id: checkoutId,
    status: shownStatus(state),
    destination,
    asset_id: assetId,
    asset_code: assetCode(assetId),
    amount: quote === null ? null : decimalFromStroops(quote.amount),
    currency_code: priceCurrency(state.details),
    currency_amount: price._tag === 'fiat' ? decimalFromCents(price.cents) : decimalFromStroops(price.stroops),
    memo: reference,
    memo_type: 'text' as const,
    network_passphrase: networkPassphrase,
    valid_until: quote === null ? null : timestamp(quote.validUntil),
    amount_received: decimalFromStroops(state.received),
    // With a trial nothing is paid now.
    amount_due: due === null ? '0' : (mandate?.first_amount ?? decimalFromStroops(due)),
    sep7_uri: sep7Uri,
    mandate,
    rates: (quote?.rates ?? []).map(shownRate),
    terms: state.details.terms ?? null,
  }
}

export const shownRate = ({ source, pair, rate, observedAt }: Quote['rates'][number]) => ({
  source,
  pair,
  rate,
  observed_at: timestamp(observedAt),
})

/** A quote, as payers see it. */
export type QuoteView = ReturnType<typeof render>
