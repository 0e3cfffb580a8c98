import { type AccountId, type AssetId, type Quote, type Stroops, stroops } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Network, Services } from '../services.ts'
import { notPayable, type PayFailure } from './pay.ts'
import { type QuotedSession, quotedSession } from './quote.ts'
import type { PublicSession } from './session.ts'

/** What a wallet may pay for inclusion at most, in stroops: the network takes the going price, not this. */
export const feeCapOfPayer = stroops(10_000n)

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

const payable = ({ session, quote, due }: QuotedSession): E.Either<PayFailure, PayableSession> =>
  due === null || quote === null
    ? E.left(notPayable(session))
    : E.right({ session, quote, assetId: session.state.details.assetId, amount: due })

export const accountAt = (
  { gateway }: Network,
  account: AccountId,
  assets: ReadonlyArray<AssetId>,
): TE.TaskEither<PayFailure, AccountView> =>
  pipe(
    gateway.accountView(account, assets),
    TE.chainW((view) => (view === null ? TE.left({ _tag: 'SourceAccountNotFound' as const }) : TE.right(view))),
  )
