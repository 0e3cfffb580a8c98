import { type Environment, Intent, type Stroops } from '@quittance/domain'
import type { Signer } from '@quittance/ledger'
import type { Found, IntentRow } from '@quittance/projections'
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
import type { Outgoing } from './walk.ts'

/** So many transactions in a row that died or failed are enough: something is wrong that sending does not cure. */
const mostAttempts = 5

/**
 * Puts an environment's waiting intents into transactions and sends those: as many at once as there are accounts whose
 * sequence numbers are free, the longest waiting first.
 */
export const dispatch =
  (outgoing: Outgoing) =>
  (environment: Environment): TE.TaskEither<ProcessFailure, void> =>
  async () => {
    const { services, network } = outgoing
    const waiting = await stillWaiting(outgoing, environment)
    if (E.isLeft(waiting)) return waiting
    if (waiting.right.length === 0) return E.right(undefined)
    const channels = channelAccounts(services, network, environment)
    const lent = await freeChannels(outgoing, environment, channels)()
    if (E.isLeft(lent)) return lent
    const { isAny, free } = lent.right
    const left = [...free]
    for (const batch of batchesOf(waiting.right, isAny ? free.length : 1)) {
      const payer = signerFor(services, batch, channels, batch.source)
      if (payer === null) {
        outgoing.raise({ _tag: 'CannotSign', account: batch.source, cause: 'the vault has no key for it' })
        continue
      }
      const sent = isAny
        ? await sendWithAny(outgoing, batch, payer, left, channels)
        : await sendWithOwn(outgoing, batch, payer, channels)
      if (E.isLeft(sent)) return sent
    }
    return E.right(undefined)
  }

/** What waits and may be tried; what was tried often enough is given up. */
const stillWaiting = async (
  { services, walked }: Outgoing,
  environment: Environment,
): Promise<E.Either<ExecuteFailure, ReadonlyArray<Found<IntentRow>>>> => {
  const waiting: Array<Found<IntentRow>> = []
  for (const due of services.readModels.intents.due(environment, services.clock.now())) {
    if (due.row.status !== 'waiting') continue
    if (due.row.attempts < mostAttempts) {
      waiting.push(due)
      continue
    }
    const context = stepContext(due, `${environment}/${due.id}`, 'give up', walked.closedAt)
    const decide = Intent.decider.decide({ type: 'GiveUpIntent', reason: 'attempts_exhausted' })
    const givenUp = unlessRejected(await execute(services.store)(Intent, due.id, context, decide)())
    if (E.isLeft(givenUp)) return givenUp
  }
  return E.right(waiting)
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
