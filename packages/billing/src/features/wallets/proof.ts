import type { AccountId } from '@quittance/domain'
import {
  buildChallenge,
  type ChallengeInvalid,
  type LedgerUnreachable,
  readChallenge,
  readEnvelope,
  type SignaturesInsufficient,
  type SignerUnavailable,
  type SigningKey,
  verifyChallenge,
  type WebAuthServer,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { ClaimLost } from '../../kernel/claims.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import { madeSigner, proofKey } from '../../stores/vault/vault-signer.ts'
import type { WalletServices } from './services.ts'

/** The challenge was used before: ask for a new one. */
export type ChallengeSpent = { readonly _tag: 'ChallengeSpent' }

export type ProofFailure =
  | NetworkNotConfigured
  | LedgerUnreachable
  | ClaimLost
  | ChallengeInvalid
  | ChallengeSpent
  | SignerUnavailable
  | SignaturesInsufficient

/** A transaction that the owner of a wallet signs and never sends. */
export type WalletChallenge = { readonly transaction: string; readonly network_passphrase: string }

type Proving = { readonly server: WebAuthServer; readonly signer: SigningKey }

const proving = async (
  { vault, clock, publicUrl }: Pick<Services, 'vault' | 'clock' | 'publicUrl'>,
  network: Network,
  { environment, actor }: CommandContext,
): Promise<E.Either<SignerUnavailable, Proving>> => {
  const signer = await madeSigner(vault, clock, proofKey(environment), actor)
  if (E.isLeft(signer)) return signer
  const { networkPassphrase } = network.gateway
  const server = { account: signer.right.publicKey, domain: new URL(publicUrl()).host, networkPassphrase }
  return E.right({ server, signer: signer.right })
}

/**
 * Asks the owner of an address for a proof (SEP-10), valid for a quarter of an hour; a repeated command returns the
 * same challenge. `subject` identifies the claimant of the address: the challenge is worthless for any other.
 */
export const askForProof = async (
  services: WalletServices,
  context: CommandContext,
  subject: string,
  address: AccountId,
): Promise<E.Either<ProofFailure, WalletChallenge>> => {
  const network = networkOf(services, context.environment)
  if (E.isLeft(network)) return network
  const proof = await proving(services, network.right, context)
  if (E.isLeft(proof)) return proof
  const { server, signer } = proof.right
  const made = await buildChallenge(server, signer, address)()
  if (E.isLeft(made)) return made
  const kept = await services.challenges.keep(context, { customerId: subject, address, ...made.right })
  if (E.isLeft(kept)) return kept
  return E.right({ transaction: kept.right.envelopeXdr, network_passphrase: server.networkPassphrase })
}

/** The address of a signed challenge; each challenge is good for one command. */
export const takeProof = async (
  services: WalletServices,
  context: CommandContext,
  subject: string,
  transaction: string,
): Promise<E.Either<ProofFailure, AccountId>> => {
  const network = networkOf(services, context.environment)
  if (E.isLeft(network)) return network
  const { gateway } = network.right
  const envelope = readEnvelope(transaction, gateway.networkPassphrase)
  if (E.isLeft(envelope)) return E.left({ _tag: 'ChallengeInvalid', cause: envelope.left.cause })
  const { transactionHash } = envelope.right
  const challenge = await services.challenges.find(transactionHash)
  if (challenge?.customerId !== subject)
    return E.left({ _tag: 'ChallengeInvalid', cause: `${subject} was not given it` })
  const { address, spentBy } = challenge
  // This command has used and verified the challenge before.
  if (spentBy === context.commandId) return E.right(address)
  if (spentBy !== null) return E.left({ _tag: 'ChallengeSpent' })
  const proof = await proving(services, network.right, context)
  if (E.isLeft(proof)) return proof
  const { server } = proof.right
  const wellFormed = readChallenge(server, address, transaction)
  if (E.isLeft(wellFormed)) return wellFormed
  const view = await gateway.accountView(address, [])()
  if (E.isLeft(view)) return view
  const verified = verifyChallenge(server, address, view.right?.authority ?? null, transaction)
  if (E.isLeft(verified)) return verified
  const spent = await services.challenges.spend(context, transactionHash)
  if (E.isLeft(spent)) return spent
  return spent.right ? E.right(address) : E.left({ _tag: 'ChallengeSpent' })
}
