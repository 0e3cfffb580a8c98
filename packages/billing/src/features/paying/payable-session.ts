import { type AccountId, AccountSequence, type AssetId, type Quote, type Stroops } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Network, Services } from '../../services/services.ts'
import { asPayersAreTold, ensurePayableNow } from '../settlement-account/payable-account.ts'
import { notPayable, type PayFailure } from './pay.ts'
import { type QuotedSession, quotedSession } from './quote.ts'
import type { PublicSession } from './session.ts'

/** A session that can be paid, and what is due in which asset, by which quote. */
export type PayableSession = {
  readonly session: PublicSession
  readonly quote: Quote
  readonly assetId: AssetId
  readonly amount: Stroops
}

/** Errors: why nothing can be paid there; otherwise as a quote's. */
export const payableSession =
  (services: Services) =>
  (id: string): TE.TaskEither<PayFailure, PayableSession> =>
    pipe(quotedSession(services)(id), TE.chainEitherKW(payable))

/** Errors: `PayeeCannotBePaid` where what is due cannot arrive now. */
export const ensureArrival = (
  services: Services,
  { session: { found, state }, assetId, amount }: PayableSession,
): TE.TaskEither<PayFailure, void> => {
  const { merchantId, environment } = found
  return pipe(
    services.settlementOf(merchantId, environment),
    TE.chainW((settlement) =>
      ensurePayableNow(services)(
        { merchantId, environment },
        { settlement, account: state.details.destination, assetId, amount },
      ),
    ),
    TE.mapLeft(asPayersAreTold),
  )
}

const payable = ({ session, quote, due }: QuotedSession): E.Either<PayFailure, PayableSession> =>
  due === null || quote === null
    ? E.left(notPayable(session))
    : E.right({ session, quote, assetId: session.state.details.assetId, amount: due })

/** The account that would send a transaction. */
export const accountAt = (
  { gateway }: Network,
  account: AccountId,
  assets: ReadonlyArray<AssetId>,
): TE.TaskEither<PayFailure, AccountView> =>
  pipe(
    gateway.accountView(account, assets),
    TE.chainEitherKW((view): E.Either<PayFailure, AccountView> => {
      if (view === null) return E.left({ _tag: 'SourceAccountNotFound' })
      return AccountSequence.is(view.accountSequence + 1n) ? E.right(view) : E.left({ _tag: 'NoSequenceLeft' })
    }),
  )
