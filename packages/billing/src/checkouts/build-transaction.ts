import { type AccountId, type Stroops, stroops } from '@quittance/domain'
import { buildPayment, CUSTOMER_TRANSACTION_LIFETIME_MS, txUri } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { timestamp } from '../resources/fields.ts'
import { networkOf, type Services } from '../services.ts'
import { notPayable, type PayFailure } from './pay.ts'
import { type QuotedSession, quotedSession } from './quote.ts'
import type { PublicSession } from './session.ts'

/** What a wallet may pay for inclusion at most, in stroops: the network takes the going price, not this. */
const feeCap = stroops(10_000n)

/** An unsigned payment of what is due, for the wallet to sign. */
export const buildTransaction =
  (services: Services) =>
  (id: string, sourceAccount: AccountId): TE.TaskEither<PayFailure, BuiltTransaction> =>
    pipe(
      quotedSession(services)(id),
      TE.chainEitherKW(payable),
      TE.bindTo('due'),
      TE.bindW('network', ({ due }) => TE.fromEither(networkOf(services, due.session.found.environment))),
      TE.bindW('latest', ({ network }) => network.gateway.latestLedger()),
      TE.bindW('account', ({ network }) => network.gateway.accountView(sourceAccount, [])),
      TE.chainEitherKW(({ due, network, latest, account }): E.Either<PayFailure, BuiltTransaction> => {
        if (account === null) return E.left({ _tag: 'SourceAccountNotFound' })
        const { destination, assetId } = due.session.state.details
        const { networkPassphrase } = network.gateway
        const built = buildPayment({
          sourceAccount,
          accountSequence: account.accountSequence,
          destination,
          assetId,
          amount: due.amount,
          memoText: id,
          ledgerClosedAt: latest.closedAt,
          lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
          fee: feeCap,
          networkPassphrase,
        })
        return pipe(
          built,
          E.map(({ envelopeXdr, maxTime }) => ({
            transaction_xdr: envelopeXdr,
            network_passphrase: networkPassphrase,
            kind: 'payment' as const,
            sep7_uri: txUri({ envelopeXdr, networkPassphrase }),
            expires_at: timestamp(maxTime),
          })),
        )
      }),
    )

export type BuiltTransaction = {
  readonly transaction_xdr: string
  readonly network_passphrase: string
  readonly kind: 'payment'
  readonly sep7_uri: string
  readonly expires_at: string
}

const payable = ({ session, due }: QuotedSession): E.Either<PayFailure, { session: PublicSession; amount: Stroops }> =>
  due === null ? E.left(notPayable(session)) : E.right({ session, amount: due })
