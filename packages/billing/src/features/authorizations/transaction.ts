import { type AccountId, nextPeriodStart, stroops } from '@quittance/domain'
import {
  type ContractCall,
  CUSTOMER_TRANSACTION_LIFETIME_MS,
  createCall,
  type LedgerHead,
  type LedgerUnreachable,
  prepareCall,
  renewCall,
} from '@quittance/ledger'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { noDeadline } from '../../kernel/session-kinds.ts'
import { type Network, networkOf, type Services } from '../../services/services.ts'
import { unfitBy } from '../mandates/failures.ts'
import { type BuiltTransaction, forWallet } from '../paying/build-transaction.ts'
import { approvalFor } from '../paying/mandate-terms.ts'
import type { PayFailure } from '../paying/pay.ts'
import { accountAt } from '../paying/payable-session.ts'
import { bidOfPayer, goingPrice } from '../paying/payer-bid.ts'
import { ensureFee } from '../paying/payer-funds.ts'
import { type Asked, askedFor } from './asked.ts'
import { type AskedPrice, askedPrice } from './price.ts'
import { factsOf } from './views.ts'

/**
 * The transaction with which a wallet gives what its customer was asked for: a new mandate under the request's own
 * reference, charged for the first time when the next period begins; or, from the wallet of the mandate that stands and
 * where that will do, a further approval. Nothing is paid with it.
 */
export const authorizationTransaction =
  (services: Services) =>
  (id: string, wallet: AccountId): TE.TaskEither<PayFailure, BuiltTransaction> =>
    pipe(
      askedFor(services)(id),
      TE.filterOrElseW(
        ({ standing }) => standing.status === 'open',
        ({ standing: { status } }) => ({ _tag: 'CheckoutNotOpen' as const, status }),
      ),
      TE.bindTo('asked'),
      TE.bindW('network', ({ asked }) => TE.fromEither(networkOf(services, asked.scope.environment))),
      TE.bindW('price', ({ asked }) => askedPrice(services)(forWalletOf(asked, wallet))),
      TE.bindW('head', ({ network }) => network.gateway.latestLedger()),
      TE.bindW('account', ({ network }) => accountAt(network, wallet, [])),
      TE.bindW('call', ({ asked, network, price, head }) =>
        callFor(forWalletOf(asked, wallet), network, price, head, wallet),
      ),
      TE.bindW('bid', ({ network }) => TE.fromTask(T.map(bidOfPayer)(goingPrice(network.gateway, 'contract')))),
      TE.bindW('prepared', ({ network: { gateway }, head, account, call, bid }) => {
        const order = {
          sourceAccount: wallet,
          nextAccountSequence: account.accountSequence + 1n,
          ledgerClosedAt: head.closedAt,
          lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
          notAfter: null,
          fee: bid,
          networkPassphrase: gateway.networkPassphrase,
        }
        return TE.mapLeft(
          (failure: Parameters<typeof unfitBy>[0] | LedgerUnreachable): PayFailure =>
            failure._tag === 'LedgerUnreachable' ? failure : unfitBy(failure, { expiresAt: noDeadline }),
        )(prepareCall(gateway)(order, call))
      }),
      TE.chainFirstEitherKW(({ account, bid, prepared: { resourceFee } }) =>
        ensureFee(account, stroops(bid + resourceFee)),
      ),
      TE.chainW(({ asked, network, price, prepared: { envelopeXdr, maxTime } }) =>
        forWallet(
          services,
          network,
        )({
          envelopeXdr,
          maxTime,
          kind: 'mandate',
          sendMax: null,
          mandate: factsOf(asked, { cap: price.cap, amount: price.quote.amount }),
        }),
      ),
    )

/** Another wallet than that of the mandate that stands can only give a mandate of its own. */
const forWalletOf = (asked: Asked, wallet: AccountId): Asked =>
  asked.state.authorization.mandate.customer === wallet ? asked : { ...asked, kind: 'mandate' }

/** What the wallet is to sign, to the same account, in the same asset, and for the same operator as before. */
const callFor = (
  { id, state, kind, terms: { interval, intervalCount } }: Asked,
  network: Network,
  { cap }: AskedPrice,
  head: LedgerHead,
  customer: AccountId,
): TE.TaskEither<PayFailure, ContractCall> => {
  const { networkPassphrase } = network.gateway
  const { mandateId: mandate, contract, payee, operator } = state.authorization.mandate
  const { assetId } = state.details
  const firstChargeAt = nextPeriodStart(state)
  const approved = { contract, customer, assetId, cap, firstChargeAt, interval, intervalCount }
  return pipe(
    approvalFor(network, head, approved),
    TE.map((approval) => {
      if (kind === 'allowance')
        return renewCall({ contract, customer, assetId, mandate, ...approval }, networkPassphrase)
      const parties = { contract, customer, payee, operator, assetId, intervalUnit: interval, intervalCount }
      const terms = { ...parties, firstChargeAt, endsAt: null, firstAmount: stroops(0n), reference: id }
      return createCall({ ...terms, ...approval }, networkPassphrase)
    }),
  )
}
