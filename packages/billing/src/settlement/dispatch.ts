import type { AccountId, Environment, Stroops } from '@quittance/domain'
import type { Signer } from '@quittance/ledger'
import { type Found, type IntentRow, type Scope, settlementSetUpId } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ProcessFailure } from '../processes/steps.ts'
import { advance } from './advance.ts'
import { type Batch, batchesOf } from './batches.ts'
import { operationsIn } from './draw-set-up.ts'
import { firstBid, isContractCall } from './fees.ts'
import { type ChannelAccount, channelAccounts, operatorAccount, signerFor } from './keys.ts'
import { freeChannels, isOnLedger, type Lender, lenderOf } from './lenders.ts'
import { prepare } from './prepare.ts'
import { isBusy, nextSequence } from './sequence.ts'
import { giveUp, type Spent, stillWaiting } from './waiting.ts'
import type { Outgoing } from './walk.ts'

/**
 * Puts an environment's waiting intents into transactions and sends those: as many at once as there are accounts whose
 * sequence numbers are free, the longest waiting first. What was tried often enough, or is too late, is given up.
 */
export const dispatch =
  (outgoing: Outgoing) =>
  (environment: Environment): TE.TaskEither<ProcessFailure, void> =>
  async () => {
    const spent: Array<Spent> = []
    const waiting = stillWaiting(outgoing, environment, spent)
    const first = waiting.next()
    const sent = first.done === true ? E.right(undefined) : await sendAll(outgoing, environment, [first.value], waiting)
    return E.isLeft(sent) ? sent : giveUp(outgoing, spent)
  }

const sendAll = async (
  outgoing: Outgoing,
  environment: Environment,
  ...waiting: ReadonlyArray<Iterable<Found<IntentRow>>>
): Promise<E.Either<ProcessFailure, void>> => {
  const { services, network } = outgoing
  const channels = channelAccounts(services, network, environment)
  const lent = await freeChannels(outgoing, environment, channels)()
  if (E.isLeft(lent)) return lent
  const { isAny, free } = lent.right
  const left = [...free]
  const payers = payersOf(outgoing, channels)
  const room = isAny ? { each: free.length, all: free.length } : { each: 1, all: Number.POSITIVE_INFINITY }
  const batches = [...batchesOf(payable(payers, waiting), room)]
  for (const batch of batches) {
    const payer = payers(batch)
    if (payer === null) continue
    if (isAny && isContractCall(batch.class)) {
      const isThere = await isOnLedger(outgoing, environment, payer)()
      if (E.isLeft(isThere)) return isThere
      if (!isThere.right) continue
    }
    const patron = isAny ? payer : (patronOf(outgoing, batch) ?? payer)
    const own = isAny ? E.right(null) : await lenderOf(outgoing, environment, patron)()
    if (E.isLeft(own)) return own
    if (!isAny && own.right === null && !isBusy(services.readModels, environment, patron.publicKey))
      outgoing.raise({ _tag: 'FeeSourceCannotPay', account: patron.publicKey })
    const lenders = isAny ? left : own.right === null ? [] : [own.right]
    const postponed = await sendFromOne(outgoing, batch, payer, lenders, channels)
    if (E.isLeft(postponed)) return postponed
    // What did not fit goes with the next account that is free, in the same ledger.
    if (postponed.right.length > 0) batches.push({ ...batch, intents: postponed.right })
  }
  return E.right(undefined)
}

/** Without channels, the operator's account pays the fees of a merchant whose reserves it keeps. Null: the merchant does. */
const patronOf = ({ services, network }: Outgoing, { merchantId, environment }: Scope): Signer | null => {
  const setUp = services.readModels.settlementSetUps.withId(settlementSetUpId(merchantId, environment))
  return setUp?.row.isSponsored === true ? (operatorAccount(services, network, environment)?.signer ?? null) : null
}

type Payers = (of: Scope & { readonly source: AccountId }) => Signer | null

/** The keys of accounts that pay, each looked for once; a person hears of one that is not there. */
const payersOf = ({ services, raise }: Outgoing, channels: ReadonlyArray<ChannelAccount>): Payers => {
  const known = new Map<AccountId, Signer | null>()
  return ({ source, ...scope }) => {
    const found = known.get(source)
    if (found !== undefined) return found
    const signer = signerFor(services, scope, channels, source)
    known.set(source, signer)
    if (signer === null) raise({ _tag: 'CannotSign', account: source, cause: 'the vault has no key for it' })
    return signer
  }
}

/** Without those that nobody can sign for: they take up no room. */
function* payable(payers: Payers, waiting: ReadonlyArray<Iterable<Found<IntentRow>>>): Generator<Found<IntentRow>> {
  for (const each of waiting)
    for (const intent of each) {
      const { merchantId, environment, row } = intent
      if (payers({ merchantId, environment, source: row.details.source }) !== null) yield intent
    }
}

/** From the first that can pay the fee; those before it are left out for now. Answers what did not fit. */
const sendFromOne = async (
  outgoing: Outgoing,
  batch: Batch,
  payer: Signer,
  lenders: Array<Lender>,
  channels: ReadonlyArray<ChannelAccount>,
): Promise<E.Either<ProcessFailure, Batch['intents']>> => {
  const bid = lenders.length === 0 ? null : await firstBid(outgoing.network.gateway, batch.class)()
  for (let lender = lenders.shift(); lender !== undefined && bid !== null; lender = lenders.shift())
    if (canPay(outgoing, lender, batch, bid)) return send(outgoing, batch, payer, lender, bid, channels)
  return E.right([])
}

/** Charges share one operation, of which the resources come on top. */
const canPay = ({ raise }: Outgoing, { view }: Lender, batch: Batch, bid: Stroops): boolean => {
  const isEnough = view.nativeSpendable >= bid * BigInt(isContractCall(batch.class) ? 1 : operationsIn(batch))
  if (!isEnough) raise({ _tag: 'FeeSourceCannotPay', account: view.account })
  return isEnough
}

const send = async (
  outgoing: Outgoing,
  batch: Batch,
  payer: Signer,
  { signer, view }: Lender,
  bid: Stroops,
  channels: ReadonlyArray<ChannelAccount>,
): Promise<E.Either<ProcessFailure, Batch['intents']>> => {
  const sequence = nextSequence(outgoing.services.readModels, batch.environment, view)
  const prepared = await prepare(outgoing, batch, { signer, sequence, spendable: view.nativeSpendable, bid }, payer)()
  if (E.isLeft(prepared)) {
    if (prepared.left._tag !== 'SignerUnavailable') return E.left(prepared.left)
    outgoing.raise({ _tag: 'CannotSign', account: batch.source, cause: prepared.left.cause })
    return E.right([])
  }
  if (prepared.right === null) return E.right([])
  const { ours, postponed } = prepared.right
  return E.map(() => postponed)(await advance(outgoing, channels)(ours)())
}
