import type { AccountId } from '@quittance/domain'
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
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClaimLost } from '../../kernel/claims.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { KeptChallenge } from '../../stores/challenges.ts'
import { proofKey, vaultSigner } from '../../stores/vault/vault-signer.ts'

/** It has been answered once: a new one has to be asked for. */
export type ChallengeSpent = { readonly _tag: 'ChallengeSpent' }

export type ProofFailure =
  | NetworkNotConfigured
  | LedgerUnreachable
  | ClaimLost
  | ChallengeInvalid
  | ChallengeSpent
  | SignerUnavailable
  | SignaturesInsufficient

/** What the owner of a wallet signs, and never sends. */
export type WalletChallenge = { readonly transaction: string; readonly network_passphrase: string }

type Proving = { readonly network: Network; readonly server: WebAuthServer; readonly signer: Signer }

const proving = (
  { vault, clock, publicUrl }: Services,
  network: Network,
  { environment, actor }: CommandContext,
): Proving => {
  const signer = vaultSigner(vault, clock, proofKey(environment), actor)
  const { networkPassphrase } = network.gateway
  const server = { account: signer.publicKey, domain: new URL(publicUrl()).host, networkPassphrase }
  return { network, server, signer }
}

/**
 * Proofs that an address belongs to somebody (SEP-10), good for a quarter of an hour by the wall clock. `subject` is the id
 * of whom or what it is to belong to: a challenge that was made for one is worthless for every other.
 */
export const proofs = (services: Services) => {
  const { challenges } = services
  const by = (context: CommandContext): E.Either<NetworkNotConfigured, Proving> =>
    E.map((network: Network) => proving(services, network, context))(networkOf(services, context.environment))

  /** A challenge that this very command has used up was verified then. */
  const verified = (
    { network, server }: Proving,
    context: CommandContext,
    { address, transactionHash, spentBy }: KeptChallenge,
    transaction: string,
  ): TE.TaskEither<ProofFailure, void> => {
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

  const challengeIn = (
    { gateway }: Network,
    subject: string,
    transaction: string,
  ): E.Either<ChallengeInvalid, KeptChallenge> =>
    pipe(
      readEnvelope(transaction, gateway.networkPassphrase),
      E.mapLeft(({ cause }): ChallengeInvalid => ({ _tag: 'ChallengeInvalid', cause })),
      E.chain(({ transactionHash }) => {
        const challenge = challenges.find(transactionHash)
        return challenge?.customerId === subject
          ? E.right(challenge)
          : E.left({ _tag: 'ChallengeInvalid', cause: `${subject} was not given it` })
      }),
    )

  return {
    /** Asks the owner of an address for a proof; a repeated command gives the same challenge. */
    ask: (context: CommandContext, subject: string, address: AccountId): TE.TaskEither<ProofFailure, WalletChallenge> =>
      pipe(
        TE.fromEither(by(context)),
        TE.chainW(({ server, signer }) =>
          pipe(
            buildChallenge(server, signer, address),
            TE.chainEitherKW((made) => challenges.keep(context, { customerId: subject, address, ...made })),
            TE.map(({ envelopeXdr }) => ({
              transaction: envelopeXdr,
              network_passphrase: server.networkPassphrase,
            })),
          ),
        ),
      ),
    /** The address of a challenge that came back signed, once. */
    take: (context: CommandContext, subject: string, transaction: string): TE.TaskEither<ProofFailure, AccountId> =>
      pipe(
        TE.fromEither(by(context)),
        TE.bindTo('by'),
        TE.bindW('challenge', ({ by: { network } }) => TE.fromEither(challengeIn(network, subject, transaction))),
        TE.chainFirstW(({ by: proof, challenge }) => verified(proof, context, challenge, transaction)),
        TE.map(({ challenge }) => challenge.address),
      ),
  }
}
