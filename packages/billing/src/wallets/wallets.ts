import { type AccountId, Customer, type CustomerRejection, WalletId } from '@quittance/domain'
import {
  buildChallenge,
  type ChallengeInvalid,
  type LedgerUnreachable,
  readChallenge,
  readEnvelope,
  type SignaturesInsufficient,
  type Signer,
  type SignerUnavailable,
  verifyChallenge,
  type WebAuthServer,
} from '@quittance/ledger'
import { type CustomerRow, customers, type Found } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CustomerNotFound, customerToAnswerFrom, livingCustomer } from '../customers/living.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../execute.ts'
import { createdId } from '../identity/derive.ts'
import { rowAfter } from '../load.ts'
import { type WalletResource, walletResource } from '../resources/wallet.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../services.ts'
import { proofKey, vaultSigner } from '../vault/vault-signer.ts'
import type { KeptChallenge } from './challenges.ts'

/** It has been answered once: a new one has to be asked for. */
export type ChallengeSpent = { readonly _tag: 'ChallengeSpent' }

/** The text is the id of no wallet at all. */
type NoSuchWallet = { readonly _tag: 'NoSuchWallet' }

export type WalletFailure =
  | ExecuteFailure
  | CustomerRejection
  | CustomerNotFound
  | NetworkNotConfigured
  | LedgerUnreachable
  | ChallengeInvalid
  | ChallengeSpent
  | NoSuchWallet
  | SignerUnavailable
  | SignaturesInsufficient

/** What the owner of a wallet signs, and never sends. */
export type WalletChallenge = { readonly transaction: string; readonly network_passphrase: string }

/** The wallets that customers have shown to be theirs. One that has paid is linked without more. */
export interface Wallets {
  /** Asks the owner of an address for a proof (SEP-10), good for a quarter of an hour by the wall clock. */
  readonly start: (
    context: CommandContext,
    customerId: string,
    address: AccountId,
  ) => TE.TaskEither<WalletFailure, WalletChallenge>
  /**
   * Links the address of a challenge that came back signed. Several customers may have the same address. Errors:
   * `ChallengeInvalid` for what this customer was not given, or is too old; `ChallengeSpent` for what was used before.
   */
  readonly verify: (
    context: CommandContext,
    customerId: string,
    transaction: string,
  ) => TE.TaskEither<WalletFailure, WalletResource>
  readonly remove: (context: CommandContext, customerId: string, walletId: string) => TE.TaskEither<WalletFailure, void>
}

export const wallets = (services: Services): Wallets => {
  const { store, challenges, vault, clock, publicUrl } = services
  const living = livingCustomer(services)
  const run = execute(store)

  const proving = ({ environment, actor }: CommandContext): E.Either<NetworkNotConfigured, Proving> =>
    pipe(
      networkOf(services, environment),
      E.map((network) => {
        const signer = vaultSigner(vault, clock, proofKey(environment), actor)
        const { networkPassphrase } = network.gateway
        const server = { account: signer.publicKey, domain: new URL(publicUrl()).host, networkPassphrase }
        return { network, server, signer }
      }),
    )

  /** A challenge that this very command has used up was verified then. */
  const verified = (
    { network, server }: Proving,
    context: CommandContext,
    challenge: KeptChallenge,
    transaction: string,
  ): TE.TaskEither<WalletFailure, void> => {
    const { address, transactionHash, spentBy } = challenge
    if (spentBy === context.commandId) return TE.right(undefined)
    if (spentBy !== null) return TE.left({ _tag: 'ChallengeSpent' })
    return pipe(
      TE.fromEither(readChallenge(server, address, transaction)),
      TE.chainW(() => network.gateway.accountView(address, [])),
      TE.chainEitherKW((view) => verifyChallenge(server, address, view?.authority ?? null, transaction)),
      TE.chainEitherKW(() => challenges.spend(context, transactionHash)),
      TE.filterOrElseW(
        (isSpent) => isSpent,
        (): ChallengeSpent => ({ _tag: 'ChallengeSpent' }),
      ),
      TE.map(() => undefined),
    )
  }

  const link = (context: CommandContext, customerId: string, address: AccountId) => {
    const walletId = createdId(WalletId, context.at, context.commandId)
    const command = { type: 'LinkWallet' as const, walletId, address, metadata: null, via: 'proof' as const }
    return pipe(
      run(Customer, customerId, context, Customer.decider.decide(command)),
      TE.map(rowAfter(customers, customerId)),
      TE.map((customer) => walletAt(customer, address)),
    )
  }

  return {
    start: (context, customerId, address) =>
      pipe(
        customerToAnswerFrom(services)(context, customerId),
        TE.chainEitherKW(() => proving(context)),
        TE.chainW(({ server, signer }) =>
          pipe(
            buildChallenge(server, signer, address),
            TE.chainEitherKW((made) => challenges.keep(context, { customerId, address, ...made })),
            TE.map(({ envelopeXdr }) => ({
              transaction: envelopeXdr,
              network_passphrase: server.networkPassphrase,
            })),
          ),
        ),
      ),
    verify: (context, customerId, transaction) =>
      pipe(
        living(context, customerId),
        TE.chainEitherKW(() => proving(context)),
        TE.bindTo('by'),
        TE.bindW('challenge', ({ by }) => TE.fromEither(challengeIn(services, by.network, customerId, transaction))),
        TE.chainFirstW(({ by, challenge }) => verified(by, context, challenge, transaction)),
        TE.chainW(({ challenge }) => link(context, customerId, challenge.address)),
      ),
    remove: (context, customerId, walletId) =>
      pipe(
        living(context, customerId),
        TE.chainEitherKW(() => E.fromPredicate(WalletId.is, (): NoSuchWallet => ({ _tag: 'NoSuchWallet' }))(walletId)),
        TE.chainW((known) =>
          run(Customer, customerId, context, Customer.decider.decide({ type: 'UnlinkWallet', walletId: known })),
        ),
        TE.map(() => undefined),
      ),
  }
}

type Proving = { readonly network: Network; readonly server: WebAuthServer; readonly signer: Signer }

const challengeIn = (
  { challenges }: Services,
  { gateway }: Network,
  customerId: string,
  transaction: string,
): E.Either<ChallengeInvalid, KeptChallenge> =>
  pipe(
    readEnvelope(transaction, gateway.networkPassphrase),
    E.mapLeft(({ cause }): ChallengeInvalid => ({ _tag: 'ChallengeInvalid', cause })),
    E.chain(({ transactionHash }) => {
      const challenge = challenges.find(transactionHash)
      return challenge?.customerId === customerId
        ? E.right(challenge)
        : E.left({ _tag: 'ChallengeInvalid', cause: 'this customer was not given it' })
    }),
  )

const walletAt = ({ row }: Found<CustomerRow>, address: AccountId): WalletResource => {
  const linked = row.wallets.find(({ wallet }) => wallet.address === address)
  if (linked === undefined) throw new Error(`${address} is not linked after it was`)
  return walletResource(linked)
}
