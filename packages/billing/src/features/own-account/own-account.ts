import { type AccountId, asText, Merchant, Reservation, type ReservationRejection } from '@quittance/domain'
import type { LedgerUnreachable } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute, executeLater } from '../../kernel/execute.ts'
import { platform } from '../../kernel/platform.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import { withoutRejection } from '../../services/steps.ts'
import { ownAccounts } from '../funding/own-accounts.ts'
import { merchantSettlements } from '../settlement-account/merchant-facts.ts'
import { type ProofFailure, proofs, type WalletChallenge } from '../wallets/proof.ts'
import { type Observed, type OwnAccountMissing, observe } from './observe.ts'
import { signatureRequests } from './signature-requests.ts'

/** Others are paid at the account, or the service itself uses it. */
export type OwnAccountTaken = {
  readonly _tag: 'OwnAccountTaken'
  readonly account: AccountId
  readonly by: 'merchant' | 'service'
}

export type OwnAccountFailure =
  | ExecuteFailure
  | ProofFailure
  | NetworkNotConfigured
  | LedgerUnreachable
  | OwnAccountMissing
  | OwnAccountTaken

/** An account of the merchant's own, which the service watches and has no key for. */
export interface OwnAccount {
  /** Asks for a proof that an account is the merchant's (SEP-10), good for a quarter of an hour by the wall clock. */
  readonly ask: (context: CommandContext, account: AccountId) => TE.TaskEither<OwnAccountFailure, WalletChallenge>
  /**
   * Has the merchant paid at the account of a challenge that came back signed. The account before stays watched, and open
   * checkouts stay payable there. Answers the account.
   */
  readonly verify: (context: CommandContext, transaction: string) => TE.TaskEither<OwnAccountFailure, AccountId>
  /** What waits for a signature of the merchant's, the longest waiting first. */
  readonly signatures: ReturnType<typeof signatureRequests>
}

export const ownAccount = (services: Services): OwnAccount => {
  const { ask, take } = proofs(services)
  return {
    ask: (context, account) =>
      pipe(
        TE.fromEither(free(services, context, account)),
        TE.chainW(() => ask(context, subjectOf(context), account)),
      ),
    verify: (context, transaction) =>
      pipe(
        TE.fromEither(networkOf(services, context.environment)),
        TE.bindTo('network'),
        TE.bindW('account', () => take(context, subjectOf(context), transaction)),
        TE.chainFirstW(({ account }) => TE.fromEither(free(services, context, account))),
        TE.chainFirstW(({ account }) => reserved(services, context, account)),
        TE.chainFirstW(({ network, account }) => set(services, context, network, account)),
        TE.map(({ account }) => account),
      ),
    signatures: signatureRequests(services),
  }
}

/** A challenge that one merchant was given in one environment is worth nothing for any other. */
const subjectOf = ({ merchantId, environment }: Scope): string =>
  `settlement account of ${merchantId} on ${environment}`

const free = (
  services: Services,
  { merchantId, environment }: Scope,
  account: AccountId,
): E.Either<OwnAccountTaken, void> => {
  const taken = (by: OwnAccountTaken['by']) => E.left({ _tag: 'OwnAccountTaken' as const, account, by })
  if (ownAccounts(services, environment).has(account)) return taken('service')
  const isOthers = services.readModels.watchedAccounts.withKey(account).some((each) => each.merchantId !== merchantId)
  return isOthers ? taken('merchant') : E.right(undefined)
}

/** Two merchants who both hold its key can prove it at the same time: one of them has it, for ever. */
const reserved = (
  { store, vault }: Services,
  context: CommandContext,
  account: AccountId,
): TE.TaskEither<OwnAccountTaken | ExecuteFailure, void> => {
  const id = vault.keyedHash('settlement account', `${context.environment} ${account}`)
  const commandId = derivedCommandId(context.commandId, `reserve ${account}`)
  const claim = Reservation.decider.decide({ type: 'Claim', owner: asText(context.merchantId) })
  return pipe(
    executeLater(store)(Reservation, id, { ...context, merchantId: platform, commandId }, claim),
    TE.mapLeft((failure: ExecuteFailure | ReservationRejection): OwnAccountTaken | ExecuteFailure =>
      failure._tag === 'HeldBy' || failure._tag === 'NotHeld'
        ? { _tag: 'OwnAccountTaken', account, by: 'merchant' }
        : failure,
    ),
    TE.map(() => undefined),
  )
}

/**
 * Records the account with what it holds. Ledgers that closed between the reading and the record may have been ingested
 * without it: they are ingested again, which writes nothing twice.
 */
const set = (
  services: Services,
  context: CommandContext,
  network: Network,
  account: AccountId,
): TE.TaskEither<OwnAccountFailure, void> => {
  const { store, cursors } = services
  const { merchantId, environment } = context
  const record =
    ({ opening, asOf }: Observed): TE.TaskEither<OwnAccountTaken | ExecuteFailure, unknown> =>
    async () => {
      const recorded = await execute(store)(
        Merchant,
        merchantId,
        context,
        Merchant.decider.decide({
          type: 'SetSettlementAccount',
          environment,
          account,
          networkPassphrase: asText(network.gateway.networkPassphrase),
          setUpThrough: asOf.sequence,
          custody: 'merchant',
          opening,
        }),
      )
      // The merchant receives at it on the other network already, or did.
      if (E.isLeft(recorded) && recorded.left._tag === 'SettlementAccountShared')
        return E.left({ _tag: 'OwnAccountTaken', account, by: 'merchant' })
      return withoutRejection(recorded)
    }
  return pipe(
    merchantSettlements(store)(merchantId, environment),
    TE.chainW(
      ({ accepted }) =>
        () =>
          observe(network.gateway, account, accepted),
    ),
    TE.tap(({ asOf }) => TE.fromIO(() => cursors.begin(environment, asOf))),
    TE.chainFirstW(record),
    TE.bindTo('observed'),
    TE.bindW('cursor', () => cursors.of(environment).load()),
    TE.chainIOK(({ observed: { asOf }, cursor }) => () => {
      if (cursor !== null && cursor.sequence > asOf.sequence) cursors.move(environment, { ...asOf, hash: null })
    }),
  )
}
