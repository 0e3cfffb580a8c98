import { AuthorizationId } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Asked, askedFor } from '../features/authorizations/asked.ts'
import { authorizationSubmit } from '../features/authorizations/submit.ts'
import { authorizationTransaction } from '../features/authorizations/transaction.ts'
import { authorizationPage, authorizationQuote, authorizationStatus } from '../features/authorizations/views.ts'
import type { CheckoutNotFound } from '../features/checkouts/options.ts'
import type { Customers } from '../features/customers/customers.ts'
import { attachCustomer } from '../features/paying/attach-customer.ts'
import { buildTransaction } from '../features/paying/build-transaction.ts'
import { pageView } from '../features/paying/page.ts'
import { payerAssets } from '../features/paying/payer-assets.ts'
import { quoteView } from '../features/paying/quote.ts'
import { type PublicSession, publicSession } from '../features/paying/session.ts'
import { statusView } from '../features/paying/status.ts'
import { submitTransaction } from '../features/paying/submit-transaction.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import type { Services } from '../services/services.ts'

/**
 * What anyone may do who has the address of a checkout, an invoice, or of what asks a customer for a new authorisation:
 * nothing here completes it, and nothing shows personal data.
 */
export interface Payer {
  readonly page: ReturnType<typeof pageView>
  readonly quote: ReturnType<typeof quoteView>
  readonly status: ReturnType<typeof statusView>
  readonly attachCustomer: ReturnType<typeof attachCustomer>
  readonly assets: ReturnType<typeof payerAssets>
  readonly transaction: ReturnType<typeof buildTransaction>
  readonly submit: ReturnType<typeof submitTransaction>
  /** Whose it is. */
  readonly owner: (id: string) => TE.TaskEither<StoreUnavailable | CheckoutNotFound, Scope>
}

export const payer = (services: Services, people: Customers): Payer => ({
  page: byId(pageView(services), authorizationPage(services)),
  quote: byId(quoteView(services), authorizationQuote(services)),
  status: byId(statusView(services), authorizationStatus(services)),
  attachCustomer: attachCustomer(services, people),
  assets: payerAssets(services),
  transaction: byId(buildTransaction(services), authorizationTransaction(services)),
  submit: byId(submitTransaction(services), authorizationSubmit(services)),
  owner: byId(
    (id) =>
      TE.map(({ found: { merchantId, environment } }: PublicSession) => ({ merchantId, environment }))(
        publicSession(services)(id),
      ),
    (id) => TE.map(({ scope }: Asked) => scope)(askedFor(services)(id)),
  ),
})

/** A session is paid in; what a customer is asked for is signed. */
const byId =
  <Rest extends ReadonlyArray<unknown>, Answer>(
    ofSession: (id: string, ...rest: Rest) => Answer,
    ofAuthorization: (id: string, ...rest: Rest) => Answer,
  ) =>
  (id: string, ...rest: Rest): Answer =>
    AuthorizationId.is(id) ? ofAuthorization(id, ...rest) : ofSession(id, ...rest)
