import { type AccountId, type AssetId, AuthorizationId } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type AuthorizationRequest, authorizationRequest } from '../features/authorizations/request.ts'
import { submitAuthorization } from '../features/authorizations/submit.ts'
import { authorizationTransaction } from '../features/authorizations/transaction.ts'
import { submitTrustline, trustlineTransaction } from '../features/authorizations/trustline.ts'
import { authorizationPage, authorizationQuote, authorizationStatus } from '../features/authorizations/views.ts'
import type { CheckoutNotFound } from '../features/checkouts/options.ts'
import type { Customers } from '../features/customers/customers.ts'
import { type AttachFailure, attachCustomer, type PayerDetails } from '../features/paying/attach-customer.ts'
import { type BuiltTransaction, buildTransaction, type Sending } from '../features/paying/build-transaction.ts'
import { type OutcomeView, outcomeView } from '../features/paying/outcome.ts'
import { type PageView, pageView } from '../features/paying/page.ts'
import type { PayFailure } from '../features/paying/pay.ts'
import { type PayerAsset, payerAssets } from '../features/paying/payer-assets.ts'
import { type QuoteView, type QuoteViewFailure, quoteView } from '../features/paying/quote.ts'
import { publicSession } from '../features/paying/session.ts'
import { type StatusView, statusView } from '../features/paying/status.ts'
import { type Submitted, submitTransaction } from '../features/paying/submit-transaction.ts'
import type { ExecuteFailure } from '../kernel/execute.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import type { Services } from '../services/services.ts'
import type { MerchantNotReady } from '../services/settlements.ts'

/**
 * The public operations on a checkout, an invoice or a request for a new authorization, open to anyone with its
 * address. None completes it, and none shows personal data.
 */
export interface Payer {
  readonly page: ById<PageFailure, PageView>
  readonly quote: ById<QuoteViewFailure, QuoteView>
  readonly status: ById<StoreUnavailable | CheckoutNotFound, StatusView>
  readonly attachCustomer: (
    id: string,
    details: PayerDetails,
  ) => TE.TaskEither<AttachFailure, { readonly checkout_id: string }>
  readonly assets: (
    id: string,
    account: AccountId,
    others?: ReadonlyArray<AssetId>,
  ) => TE.TaskEither<PayFailure, ReadonlyArray<PayerAsset>>
  readonly transaction: (
    id: string,
    account: AccountId,
    sending?: Sending | null,
  ) => TE.TaskEither<PayFailure, BuiltTransaction>
  /** For a wallet that cannot hold the requested asset yet. */
  readonly trustline: (id: string, account: AccountId) => TE.TaskEither<PayFailure, BuiltTransaction>
  readonly submit: (id: string, envelopeXdr: string) => TE.TaskEither<PayFailure, Submitted>
  /** What became of a transaction that was submitted. */
  readonly outcome: (id: string, hash: string) => TE.TaskEither<PayFailure, OutcomeView>
  /** Its merchant and environment. */
  readonly owner: ById<StoreUnavailable | CheckoutNotFound, Scope>
}

type ById<L, A> = (id: string) => TE.TaskEither<L, A>
type PageFailure = ExecuteFailure | CheckoutNotFound | MerchantNotReady

export const payer = (services: Services, customers: Customers): Payer => {
  const isAuthorization = AuthorizationId.is
  const owner = async (id: string): Promise<E.Either<StoreUnavailable | CheckoutNotFound, Scope>> => {
    if (isAuthorization(id))
      return E.map((request: AuthorizationRequest) => request.scope)(await authorizationRequest(services, id))
    const session = await publicSession(services, id)
    if (E.isLeft(session)) return session
    const { merchantId, environment } = session.right.found
    return E.right({ merchantId, environment })
  }
  return {
    page: (id) => () => (isAuthorization(id) ? authorizationPage : pageView)(services, id),
    quote: (id) => () => (isAuthorization(id) ? authorizationQuote : quoteView)(services, id),
    status: (id) => () => (isAuthorization(id) ? authorizationStatus : statusView)(services, id),
    attachCustomer: (id, details) => () => attachCustomer(services, customers, id, details),
    assets: (id, account, others) => () => payerAssets(services, id, account, others),
    transaction: (id, account, sending) => () =>
      isAuthorization(id)
        ? authorizationTransaction(services, id, account)
        : buildTransaction(services, id, account, sending),
    trustline: (id, account) => () => trustlineTransaction(services, id, account),
    submit: (id, envelopeXdr) => async () =>
      (await submitTrustline(services, id, envelopeXdr)) ??
      (isAuthorization(id) ? submitAuthorization : submitTransaction)(services, id, envelopeXdr),
    outcome: (id, hash) => async () => {
      const found = await owner(id)
      return E.isLeft(found) ? found : outcomeView(services, found.right.environment, hash)
    },
    owner: (id) => () => owner(id),
  }
}
