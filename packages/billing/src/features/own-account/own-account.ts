import { type AccountId, asText, Merchant, Reservation } from '@quittance/domain'
import type { LedgerUnreachable } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import type { CommandContext, ExecuteFailure } from '../../kernel/execute.ts'
import { platform } from '../../kernel/platform.ts'
import { stepUnless } from '../../kernel/step.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import { ownAccounts } from '../funding/own-accounts.ts'
import { merchantSettlements } from '../settlement-account/merchant-facts.ts'
import { askForProof, type ProofFailure, takeProof, type WalletChallenge } from '../wallets/proof.ts'
import { type OwnAccountMissing, observe } from './observe.ts'
import type { OwnAccountServices } from './services.ts'
import { signatureRequests } from './signature-requests.ts'

/** The account belongs to another merchant, or to the service. */
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

/** The merchant's own account: the service watches it and holds no key for it. */
export interface OwnAccount {
  /** Asks for a proof that an account is the merchant's (SEP-10), valid for a quarter of an hour. */
  readonly ask: (context: CommandContext, account: AccountId) => TE.TaskEither<OwnAccountFailure, WalletChallenge>
  /**
   * Makes the account of a signed challenge the merchant's settlement account and returns it. The earlier account stays
   * watched, and open checkouts stay payable there.
   */
  readonly verify: (context: CommandContext, transaction: string) => TE.TaskEither<OwnAccountFailure, AccountId>
  /** The payments that wait for the merchant's signature, oldest first. */
  readonly signatures: ReturnType<typeof signatureRequests>
}

export const ownAccount = (services: OwnAccountServices): OwnAccount => ({
  ask: (context, account) => async () => {
    const free = await ensureFree(services, context, account)
    return E.isLeft(free) ? free : askForProof(services, context, subjectOf(context), account)
  },
  verify: (context, transaction) => () => verify(services, context, transaction),
  signatures: signatureRequests(services),
})

const verify = async (
  services: OwnAccountServices,
  context: CommandContext,
  transaction: string,
): Promise<E.Either<OwnAccountFailure, AccountId>> => {
  const network = networkOf(services, context.environment)
  if (E.isLeft(network)) return network
  const proven = await takeProof(services, context, subjectOf(context), transaction)
  if (E.isLeft(proven)) return proven
  const account = proven.right
  const free = await ensureFree(services, context, account)
  if (E.isLeft(free)) return free
  const reserved = await reserve(services, context, account)
  if (E.isLeft(reserved)) return reserved
  const set = await setAccount(services, context, network.right, account)
  return E.isLeft(set) ? set : proven
}

/** The subject of the challenge: a challenge is worthless for any other merchant or environment. */
const subjectOf = ({ merchantId, environment }: Scope): string =>
  `settlement account of ${merchantId} on ${environment}`

const ensureFree = async (
  services: Pick<Services, 'readModels' | 'vault'>,
  { merchantId, environment }: Scope,
  account: AccountId,
): Promise<E.Either<OwnAccountTaken, void>> => {
  const taken = (by: OwnAccountTaken['by']) => E.left({ _tag: 'OwnAccountTaken' as const, account, by })
  if ((await ownAccounts(services, environment)).has(account)) return taken('service')
  const isOthers = (await services.readModels.watchedAccounts.withKey(account)).some(
    (each) => each.merchantId !== merchantId,
  )
  return isOthers ? taken('merchant') : E.right(undefined)
}

/** What a merchant's own account is reserved under. */
export const ownAccountReservation = (
  vault: Pick<Services['vault'], 'keyedHash'>,
  environment: string,
  account: string,
) => vault.keyedHash('settlement account', `${environment} ${account}`)

/** Two merchants that hold the key of the same account can prove it at the same time: only one of them gets it. */
const reserve = async (
  { store, vault }: Pick<Services, 'store' | 'vault'>,
  context: CommandContext,
  account: AccountId,
): Promise<E.Either<OwnAccountTaken | ExecuteFailure, void>> => {
  const id = await ownAccountReservation(vault, context.environment, account)
  const commandId = derivedCommandId(context.commandId, `reserve ${account}`)
  const claim = Reservation.decider.decide({ type: 'Claim', owner: asText(context.merchantId) })
  const own = { ...context, merchantId: platform, commandId }
  const reserved = await stepUnless(store)(['HeldBy'], Reservation, id, own, claim)
  if (E.isLeft(reserved)) return reserved
  return reserved.right === null ? E.left({ _tag: 'OwnAccountTaken', account, by: 'merchant' }) : E.right(undefined)
}

/**
 * Records the account with its balances. Ledgers that closed after the balances were read may have been ingested
 * without the account, so they are ingested again, which writes nothing twice.
 */
const setAccount = async (
  { store, cursors }: Pick<Services, 'store' | 'cursors'>,
  context: CommandContext,
  { gateway }: Network,
  account: AccountId,
): Promise<E.Either<OwnAccountFailure, void>> => {
  const { merchantId, environment } = context
  const settlement = await merchantSettlements(store)(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const observed = await observe(gateway, account, settlement.right.accepted)
  if (E.isLeft(observed)) return observed
  const { opening, asOf } = observed.right
  await cursors.begin(environment, asOf)
  const decide = Merchant.decider.decide({
    type: 'SetSettlementAccount',
    environment,
    account,
    networkPassphrase: asText(gateway.networkPassphrase),
    setUpThrough: asOf.sequence,
    custody: 'merchant',
    opening,
  })
  const set = await stepUnless(store)(['SettlementAccountShared'], Merchant, merchantId, context, decide)
  if (E.isLeft(set)) return set
  // The merchant uses or used the account on the other network.
  if (set.right === null) return E.left({ _tag: 'OwnAccountTaken', account, by: 'merchant' })
  const cursor = await cursors.of(environment).load()()
  if (E.isLeft(cursor)) return cursor
  if (cursor.right !== null && cursor.right.sequence > asOf.sequence)
    await cursors.move(environment, { ...asOf, hash: null })
  return E.right(undefined)
}
