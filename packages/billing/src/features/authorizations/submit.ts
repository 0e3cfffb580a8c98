import { asText } from '@quittance/domain'
import { type EnvelopeView, readSignedCall, type SignedCall } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Network, networkOf, type Services } from '../../services/services.ts'
import type { PayFailure } from '../paying/pay.ts'
import { longestWaitMs, queued } from '../paying/submit-transaction.ts'
import { type Asked, askedFor } from './asked.ts'

/**
 * Relays what a wallet has signed, if it gives what its customer was asked for. What comes of it is read from the ledger.
 * The same bytes may be handed in again: whoever lost the answer is told the same hash.
 */
export const authorizationSubmit =
  (services: Services) =>
  (id: string, envelopeXdr: string): TE.TaskEither<PayFailure, { readonly transaction_hash: string }> =>
    pipe(
      askedFor(services)(id),
      TE.bindTo('asked'),
      TE.bindW('network', ({ asked }) => TE.fromEither(networkOf(services, asked.scope.environment))),
      TE.bindW('view', ({ asked, network }) => TE.fromEither(viewOf(asked, network, envelopeXdr))),
      TE.chainFirstW(({ asked, network, view }) =>
        asked.standing.status === 'open'
          ? relay(services, asked, network, view, envelopeXdr)
          : known(asked, network, view),
      ),
      TE.map(({ view }) => ({ transaction_hash: view.transactionHash })),
    )

const viewOf = (asked: Asked, { gateway }: Network, envelopeXdr: string): E.Either<PayFailure, EnvelopeView> =>
  pipe(
    readSignedCall(envelopeXdr, gateway.networkPassphrase),
    E.chainW(({ view, call }) =>
      isAskedFor(asked, call)
        ? E.right(view)
        : E.left({ _tag: 'MandateNotOffered' as const, transactionHash: view.transactionHash }),
    ),
  )

const isAskedFor = ({ id, kind, state }: Asked, call: SignedCall | null): boolean => {
  const { contract, mandateId } = state.authorization.mandate
  if (call?.contract !== contract) return false
  return call._tag === 'create' ? call.reference === id : kind === 'allowance' && call.mandate === mandateId
}

const relay = (
  { clock, relays }: Services,
  { scope: { environment } }: Asked,
  network: Network,
  { maxTime, transactionHash }: EnvelopeView,
  envelopeXdr: string,
): TE.TaskEither<PayFailure, unknown> =>
  maxTime === null || maxTime > clock.now() + longestWaitMs
    ? TE.left({ _tag: 'TimeBoundsUnfit', longestSeconds: longestWaitMs / 1000 })
    : pipe(
        queued(network, envelopeXdr, transactionHash),
        TE.map(() => relays.keep({ environment, transactionHash, envelopeXdr: asText(envelopeXdr), maxTime })),
      )

/** Nothing is asked for any more: what the ledger holds already was used. */
const known = (
  { standing: { status } }: Asked,
  { gateway }: Network,
  { transactionHash }: EnvelopeView,
): TE.TaskEither<PayFailure, unknown> =>
  TE.filterOrElseW(
    ({ _tag }: { readonly _tag: string }) => _tag === 'Succeeded',
    (): PayFailure => ({ _tag: 'CheckoutNotOpen', status }),
  )(gateway.lookUp(transactionHash))
