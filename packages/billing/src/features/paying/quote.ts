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
  stroops,
} from '@quittance/domain'
import { payUri, type SignerUnavailable } from '@quittance/ledger'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { sessionsOf } from '../../kernel/session-kinds.ts'
import { timestamp } from '../../resources/fields.ts'
import { quoteFor } from '../../services/quote-for.ts'
import type { NetworkNotConfigured, Services } from '../../services/services.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'
import type { QuoteFailure } from '../../stores/quotes/quoter.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { asPayersAreTold, ensurePayable, type PayeeCannotBePaid } from '../settlement-account/payable-account.ts'
import { expectedFacts, type MandateFacts } from './mandate-facts.ts'
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

/**
 * A session with the quote to show; null for one that ended before it was ever quoted. `due` is what to pay by it; null
 * where nothing can be paid any more, also between a deadline and the ending of its session.
 */
export type QuotedSession = {
  readonly session: PublicSession
  readonly quote: Quote | null
  readonly due: Stroops | null
}

/** The session with a quote that is valid now. A stale one is renewed, which is an event of its own. */
export const quotedSession =
  (services: Services) =>
  (id: string): TE.TaskEither<QuoteViewFailure, QuotedSession> =>
    pipe(
      publicSession(services)(id),
      TE.chainW((session) => renewed(services, session)),
    )

const renewed = (services: Services, session: PublicSession): TE.TaskEither<QuoteViewFailure, QuotedSession> => {
  const { state, found, id } = session
  const context = payerContext(services, found)
  const isPayable = state.status === 'open' && context.at < state.details.expiresAt
  if (!isPayable) return TE.right({ session, quote: state.quotes.at(-1) ?? null, due: null })
  const known = currentQuote(state, context.at)
  if (known !== null) return TE.right({ session, quote: known, due: amountDue(state, known) })
  return pipe(
    () => quoteFor(services, found, context.at),
    TE.chainFirstW((quote) => unlessUnpayable(services, session, quote)),
    TE.chainW((quote) =>
      executeLater(services.store)(
        sessionsOf(id),
        id,
        context,
        sessionsOf(id).decider.decide({ type: 'IssueQuote', at: context.at, quote }),
      ),
    ),
    TE.map(({ state: next }) => {
      const issued = next.status === 'absent' ? null : currentQuote(next, context.at)
      if (next.status === 'absent' || issued === null) throw new Error(`${id} has no quote after it was issued one`)
      return { session: { ...session, state: next }, quote: issued, due: amountDue(next, issued) }
    }),
  )
}

/** No amount is offered that cannot arrive. While no node answers, the offer stands: whoever pays finds out at once. */
const unlessUnpayable = (
  services: Services,
  { found: { merchantId, environment }, state: { details, received } }: PublicSession,
  quote: NewQuote,
): TE.TaskEither<QuoteViewFailure, void> => {
  const amount = stroops(quote.amount > received ? quote.amount - received : 1n)
  return pipe(
    services.settlementOf(merchantId, environment),
    TE.chainW((settlement) =>
      ensurePayable(services)(
        { merchantId, environment },
        { settlement, account: details.destination, assetId: details.assetId, amount },
      ),
    ),
    TE.mapLeft(asPayersAreTold),
    TE.orElseW((failure) => (failure._tag === 'LedgerUnreachable' ? TE.right(undefined) : TE.left(failure))),
  )
}

/** What a payer has to send, where, with which memo, by when. */
export const quoteView =
  (services: Services) =>
  (id: string): TE.TaskEither<QuoteViewFailure, QuoteView> =>
    pipe(
      quotedSession(services)(id),
      TE.bindTo('quoted'),
      TE.bindW('settlement', ({ quoted: { session } }) =>
        services.settlementOf(session.found.merchantId, session.found.environment),
      ),
      TE.bindW('mandate', ({ quoted: { session, quote } }) => expectedFacts(services)(session, quote)),
      TE.bindW('uri', ({ quoted, settlement }) => signedUri(services, quoted, settlement.networkPassphrase)),
      TE.map(({ quoted, settlement, mandate, uri }) => render(quoted, settlement.networkPassphrase, mandate, uri)),
    )

/** The request to pay what is due; null where nothing is, and of a subscription, which takes no plain payment. */
const signedUri = (
  { signRequest }: Services,
  { session: { id, state }, due }: QuotedSession,
  networkPassphrase: string,
): TE.TaskEither<SignerUnavailable, string | null> => {
  const { destination, assetId, subscription } = state.details
  return due === null || subscription !== undefined
    ? TE.right(null)
    : signRequest(payUri({ destination, amount: due, assetId, memoText: id, networkPassphrase }))
}

const render = (
  { session: { id, found, state }, quote, due }: QuotedSession,
  networkPassphrase: string,
  mandate: MandateFacts | null,
  sep7Uri: string | null,
) => {
  const { destination, assetId, price } = state.details
  const memo: string = id
  return {
    checkout_id: memo,
    status: found.row.status,
    destination,
    asset_id: assetId,
    amount: quote === null ? null : decimalFromStroops(quote.amount),
    currency_code: price._tag === 'fiat' ? price.currency : assetCode(assetId),
    currency_amount: price._tag === 'fiat' ? decimalFromCents(price.cents) : decimalFromStroops(price.stroops),
    memo,
    memo_type: 'text' as const,
    network_passphrase: networkPassphrase,
    valid_until: quote === null ? null : timestamp(quote.validUntil),
    amount_received: decimalFromStroops(state.received),
    // With a trial nothing is paid now.
    amount_due: due === null ? '0' : (mandate?.first_amount ?? decimalFromStroops(due)),
    sep7_uri: sep7Uri,
    mandate,
    rates: (quote?.rates ?? []).map(({ source, pair, rate, observedAt }) => ({
      source,
      pair,
      rate,
      observed_at: timestamp(observedAt),
    })),
  }
}
export type QuoteView = ReturnType<typeof render>
