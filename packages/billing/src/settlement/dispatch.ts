import { type AccountId, type Environment, Intent, type Stroops } from '@quittance/domain'
import type { Signer } from '@quittance/ledger'
import type { Found, IntentRow, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type ExecuteFailure, execute } from '../execute.ts'
import { type ProcessFailure, stepContext, unlessRejected } from '../processes/steps.ts'
import { advance } from './advance.ts'
import { type Batch, batchesOf } from './batches.ts'
import { feeCapOf, firstBid } from './fees.ts'
import { type ChannelAccount, channelAccounts, signerFor } from './keys.ts'
import { freeChannels, type Lender, lenderOf } from './lenders.ts'
import { prepare } from './prepare.ts'
import { nextSequence } from './sequence.ts'
import { dueBy, type Outgoing } from './walk.ts'

/** So many transactions in a row that died or failed are enough: something is wrong that sending does not cure. */
const mostAttempts = 5

/**
 * Puts an environment's waiting intents into transactions and sends those: as many at once as there are accounts whose
 * sequence numbers are free, the longest waiting first. What was tried often enough is given up.
 */
export const dispatch =
  (outgoing: Outgoing) =>
  (environment: Environment): TE.TaskEither<ProcessFailure, void> =>
  async () => {
    const tired: Array<Found<IntentRow>> = []
    const waiting = stillWaiting(outgoing, environment, tired)
    const first = waiting.next()
    const sent = first.done === true ? E.right(undefined) : await sendAll(outgoing, environment, [first.value], waiting)
    return E.isLeft(sent) ? sent : giveUp(outgoing, tired)
  }

/** What waits and may be tried, read as far as it is asked for; what was met on the way and may not is `tired`. */
function* stillWaiting(
  outgoing: Outgoing,
  environment: Environment,
  tired: Array<Found<IntentRow>>,
): Generator<Found<IntentRow>, undefined> {
  for (const due of outgoing.services.readModels.intents.due(environment, dueBy(outgoing))) {
    if (due.row.status !== 'waiting') continue
    if (due.row.attempts < mostAttempts) yield due
    else tired.push(due)
  }
}

const giveUp = async (
  { services, walked }: Outgoing,
  tired: ReadonlyArray<Found<IntentRow>>,
): Promise<E.Either<ExecuteFailure, void>> => {
  for (const intent of tired) {
    const context = stepContext(intent, `${intent.environment}/${intent.id}`, 'give up', walked.closedAt)
    const decide = Intent.decider.decide({ type: 'GiveUpIntent', reason: 'attempts_exhausted' })
    const givenUp = unlessRejected(await execute(services.store)(Intent, intent.id, context, decide)())
    if (E.isLeft(givenUp)) return givenUp
  }
  return E.right(undefined)
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
  for (const batch of batchesOf(payable(payers, waiting), room)) {
    const payer = payers(batch)
    if (payer === null) continue
    const sent = isAny
      ? await sendWithAny(outgoing, batch, payer, left, channels)
      : await sendWithOwn(outgoing, batch, payer, channels)
    if (E.isLeft(sent)) return sent
  }
  return E.right(undefined)
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

const sendWithAny = async (
  outgoing: Outgoing,
  batch: Batch,
  payer: Signer,
  left: Array<Lender>,
  channels: ReadonlyArray<ChannelAccount>,
): Promise<E.Either<ProcessFailure, void>> => {
  const bid = left.length === 0 ? null : await firstBid(outgoing.network.gateway, feeCapOf(batch.class))()
  for (let lender = left.shift(); lender !== undefined && bid !== null; lender = left.shift())
    if (canPay(outgoing, lender, batch, bid)) return send(outgoing, batch, payer, lender, bid, channels)
  return E.right(undefined)
}

const sendWithOwn = async (
  outgoing: Outgoing,
  batch: Batch,
  payer: Signer,
  channels: ReadonlyArray<ChannelAccount>,
): Promise<E.Either<ProcessFailure, void>> => {
  const lender = await lenderOf(outgoing, batch.environment, payer)()
  if (E.isLeft(lender)) return lender
  if (lender.right === null) return E.right(undefined)
  const bid = await firstBid(outgoing.network.gateway, feeCapOf(batch.class))()
  return canPay(outgoing, lender.right, batch, bid)
    ? send(outgoing, batch, payer, lender.right, bid, channels)
    : E.right(undefined)
}

const canPay = ({ raise }: Outgoing, { view }: Lender, { intents }: Batch, bid: Stroops): boolean => {
  const isEnough = view.nativeSpendable >= bid * BigInt(intents.length)
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
): Promise<E.Either<ProcessFailure, void>> => {
  const sequence = nextSequence(outgoing.services.readModels, batch.environment, view)
  const prepared = await prepare(outgoing, batch, { signer, sequence, bid }, payer)()
  if (E.isLeft(prepared)) {
    if (prepared.left._tag !== 'SignerUnavailable') return E.left(prepared.left)
    outgoing.raise({ _tag: 'CannotSign', account: batch.source, cause: prepared.left.cause })
    return E.right(undefined)
  }
  return prepared.right === null ? E.right(undefined) : advance(outgoing, channels)(prepared.right)()
}
