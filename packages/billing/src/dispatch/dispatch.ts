import type { AccountId, Environment, LogAcceptance, Stroops } from '@quittance/domain'
import { PAYOUT_LIFETIME_MS } from '@quittance/ledger'
import { type Found, type IntentRow, type Scope, settlementSetUpId } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { firstBid, isContractCall } from '../features/outgoing/fees.ts'
import { frozenNow } from '../features/outgoing/frozen.ts'
import { merchantsWaiting } from '../features/outgoing/merchants-in-turn.ts'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { perhapsPaidIn } from '../features/outgoing/perhaps-paid.ts'
import { isInUse, rotationUnderWay, waitingRotations } from '../features/outgoing/rotations.ts'
import { isBusy, nextSequence } from '../features/outgoing/sequence.ts'
import {
  type AccountSigner,
  type ChannelAccount,
  channelAccounts,
  type OwnAccount,
  operatorAccount,
} from '../features/outgoing/signing-accounts.ts'
import { giveUp, type Spent, stillWaiting } from '../features/outgoing/waiting.ts'
import { lookAgain, signerNow } from '../features/outgoing/weightless.ts'
import { coveredPayouts, longestPayoutWaitMs } from '../features/payouts/covered.ts'
import { waitingPayouts } from '../features/payouts/waiting-payouts.ts'
import { longestRefundWaitMs, shortRefunds } from '../features/refunds/covered.ts'
import { platform } from '../kernel/platform.ts'
import { eachIsolated, pausedIn, unlessLocal } from '../services/each-isolated.ts'
import { isUpToDate } from '../services/is-up-to-date.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Item } from '../stores/setbacks/setbacks.ts'
import { advance } from './advance.ts'
import { type Batch, batchesOf } from './batches.ts'
import { carriedIn } from './carried.ts'
import { operationsIn } from './draft-set-up.ts'
import { type Payers, payersOf, whileAnyWaits } from './payers.ts'
import { prepare } from './prepare.ts'
import { freeChannels, isOnLedger, type SequenceSource, sequenceSourceOf } from './sequence-sources.ts'

/** How many of the free channels may be used. */
type Share = 'all' | 'half'

/**
 * Puts an environment's waiting intents into transactions and sends these: one at a time for each free sequence source,
 * each merchant in turn. Refunds that would take what belongs to others wait. Refunds and returns go before payouts.
 * Payouts that had to wait go before them the next time, on half of the channels, so that a flood of returns delays
 * nobody's payouts for ever. Gives up intents that failed too often or are too late. What is frozen waits.
 */
export const dispatch = async (
  outgoing: Outgoing,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const awaited = await mayBeUnderWay(outgoing)
  if (E.isLeft(awaited)) return awaited
  if (awaited.right) return E.right(undefined)
  const looked = await lookAgain(outgoing, environment)
  if (E.isLeft(looked)) return looked
  const rotated = await sendRotations(outgoing, environment)
  if (E.isLeft(rotated)) return rotated
  const spent: Array<Spent> = []
  const { services, turns } = outgoing
  const frozen = await frozenNow(services)
  if (E.isLeft(frozen)) return frozen
  const isFrozen = frozen.right
  const short = await shortRefunds(outgoing, environment, isFrozen)
  for (const { intent, isObserved, since } of short)
    if (isObserved && hasWaited(outgoing, since, longestRefundWaitMs))
      spent.push({ intent, reason: 'insufficient_funds' })
  const shortIds = new Set(short.map(({ intent }) => intent.id))
  const others = seen(othersOf(stillWaiting(outgoing, environment, spent, isFrozen), shortIds))
  const payouts = waitingPayouts(services, turns, environment).filter((each) => !isFrozen(each))
  const steps = [
    () => sendWaiting(outgoing, environment, others.intents, 'all'),
    () => sendPayouts(outgoing, environment, payouts, spent, turns.payoutsFirst() ? 'half' : 'all'),
  ]
  for (const step of turns.payoutsFirst() ? steps.toReversed() : steps) {
    const sent = await step()
    if (E.isLeft(sent)) return sent
  }
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const isWaiting = ({ id }: Item) => services.readModels.intents.withId(id)?.row.status === 'waiting'
  turns.sent({
    payouts: !payouts.every(isWaiting),
    others: !others.met.every(isWaiting),
    payoutsWait: payouts.some(isWaiting),
  })
  return giveUp(outgoing, environment, spent)
}

/**
 * Whether a transaction that the log has lost may still enter a ledger. None is valid for longer than this after it was
 * signed: before a person accepted a log that went back, or before this process started on a copy that was put back whole,
 * marks included, which nothing shows until the transaction is on the ledger.
 */
const mayBeUnderWay = async ({
  services,
  network,
  ingested,
  firstSeen,
}: Pick<Outgoing, 'services' | 'network' | 'ingested' | 'firstSeen'>): Promise<E.Either<ProcessFailure, boolean>> =>
  E.map((acceptances: ReadonlyArray<LogAcceptance>) => {
    const started = network.isInBackups ? [] : [firstSeen.closedAt]
    const last = Math.max(...acceptances.slice(-1).map(({ acceptedAt }) => acceptedAt), ...started)
    return ingested.closedAt <= last + PAYOUT_LIFETIME_MS
  })(await services.logStanding.acceptances())

/** Rotations go first, and payouts are judged apart: refunds and returns go before them, in every other turn half the way. */
function* othersOf(
  waiting: Iterable<Found<IntentRow>>,
  short: ReadonlySet<string>,
): Generator<Found<IntentRow>, undefined> {
  for (const intent of waiting) {
    const { class: of } = intent.row.details
    if (of !== 'payout' && of !== 'rotation' && !short.has(intent.id)) yield intent
  }
}

const hasWaited = ({ ingested }: Outgoing, since: number, longestMs: number): boolean =>
  since + longestMs <= ingested.closedAt

/**
 * Sends the rotations of keys. Each takes its own account's sequence number, or its sponsor's, so it needs no channel; those of
 * the channels themselves could have none.
 */
const sendRotations = async (outgoing: Outgoing, environment: Environment): Promise<E.Either<ProcessFailure, void>> => {
  const { services, network } = outgoing
  const waiting = [...waitingRotations(services.readModels, environment, merchantsWaiting(outgoing, environment))]
  if (waiting.length === 0) return E.right(undefined)
  const channels = channelAccounts(services, network, environment)
  const payers = payersOf(outgoing, channels)
  for (const intent of payable(outgoing, environment, payers, [waiting])) {
    const { source, class: of } = intent.row.details
    const batch: Batch = { merchantId: intent.merchantId, environment, source, class: of, intents: [intent] }
    const sent = await sendOfOne(services, batch, () => sendBatch(outgoing, batch, payers, null, channels))
    if (E.isLeft(sent)) return sent
  }
  return payers.report(environment)
}

/** Intents that are read lazily, and those that were. */
const seen = (waiting: Iterable<Found<IntentRow>>) => {
  const met: Array<Found<IntentRow>> = []
  const read = function* (): Generator<Found<IntentRow>, undefined> {
    for (const intent of waiting) {
      met.push(intent)
      yield intent
    }
  }
  return { intents: read(), met }
}

/** Sends the payouts that the balance covers. Gives up those that have waited too long for their money. */
const sendPayouts = async (
  outgoing: Outgoing,
  environment: Environment,
  payouts: ReadonlyArray<Found<IntentRow>>,
  spent: Array<Spent>,
  share: Share,
): Promise<E.Either<ProcessFailure, void>> => {
  if (payouts.length === 0) return E.right(undefined)
  const coverage = await coveredPayouts(outgoing.services, environment, payouts)
  if (E.isLeft(coverage)) return coverage
  const { covered, short } = coverage.right
  for (const intent of short)
    if (hasWaited(outgoing, intent.row.createdAt, longestPayoutWaitMs))
      spent.push({ intent, reason: 'insufficient_funds' })
  return sendWaiting(outgoing, environment, covered.values(), share)
}

const sendWaiting = async (
  outgoing: Outgoing,
  environment: Environment,
  waiting: Iterator<Found<IntentRow>, undefined> & Iterable<Found<IntentRow>>,
  share: Share,
): Promise<E.Either<ProcessFailure, void>> => {
  const first = waiting.next()
  return first.done === true ? E.right(undefined) : sendAll(outgoing, environment, share, [first.value], waiting)
}

const sendAll = async (
  outgoing: Outgoing,
  environment: Environment,
  share: Share,
  ...waiting: ReadonlyArray<Iterable<Found<IntentRow>>>
): Promise<E.Either<ProcessFailure, void>> => {
  const { services, network } = outgoing
  const channels = channelAccounts(services, network, environment)
  const found = await freeChannels(outgoing, environment, channels)
  if (E.isLeft(found)) return found
  const { isAny, free } = found.right
  const sources = isAny ? [...free] : null
  const payers = payersOf(outgoing, channels)
  const operations = await outgoing.ledgerRoom.operations(outgoing.ingested.sequence)
  const taken = share === 'all' ? free.length : Math.ceil(free.length / 2)
  const transactions = isAny ? { each: taken, all: taken } : { each: 1, all: Number.POSITIVE_INFINITY }
  const room = { ...transactions, operations }
  const batches = [...batchesOf(payable(outgoing, environment, payers, waiting), room)]
  outgoing.turns.served(batches.flatMap(({ intents }) => intents.map(({ merchantId }) => merchantId)))
  for (const batch of batches) {
    const send = () => sendBatch(outgoing, batch, payers, sources, channels)
    const sent = await (isOfMany(batch) ? sendOfMany(services, batch, send) : sendOfOne(services, batch, send))
    if (E.isLeft(sent)) return sent
    batches.push(...sent.right)
  }
  return payers.report(environment)
}

const isOfMany = ({ merchantId, intents }: Batch): boolean => merchantId === platform && intents.length > 1

/** The batches that are still to be sent in the same ledger, by the next free sequence source. */
type Left = Promise<E.Either<ProcessFailure, ReadonlyArray<Batch>>>
type Send = () => Promise<E.Either<ProcessFailure, Batch['intents']>>

const leftOf = (batch: Batch, intents: Batch['intents']): ReadonlyArray<Batch> =>
  intents.length === 0 ? [] : [{ ...batch, intents }]

/** Sets back what fails: the only intent of a call, or all that a merchant's account pays. */
const sendOfOne = async (services: Outgoing['services'], batch: Batch, send: Send): Left => {
  let left: Batch['intents'] = []
  const { merchantId, environment, source, intents } = batch
  const [alone] = merchantId === platform ? intents : []
  const tried = await eachIsolated(services, environment, {
    loop: 'dispatch',
    items: [alone === undefined ? { merchantId, environment, id: source } : { ...alone, environment }],
    again: whileAnyWaits(services),
    work: async () => {
      const sent = await send()
      if (E.isRight(sent)) left = sent.right
      return sent
    },
  })
  return E.map(() => leftOf(batch, left))(tried)
}

/** A failed call does not say which charge made it fail: each half is tried by itself. */
const sendOfMany = async (services: Outgoing['services'], batch: Batch, send: Send): Left => {
  const sent = await unlessLocal(services, batch.environment, send)
  if (E.isLeft(sent)) return sent
  if (sent.right !== null) return E.right(leftOf(batch, sent.right))
  const half = Math.ceil(batch.intents.length / 2)
  return E.right([...leftOf(batch, batch.intents.slice(0, half)), ...leftOf(batch, batch.intents.slice(half))])
}

/** Sends a batch; without channels, from the paying account itself. Answers the intents that are still to be sent. */
const sendBatch = async (
  outgoing: Outgoing,
  batch: Batch,
  payers: Payers,
  channelSources: Array<SequenceSource> | null,
  channels: ReadonlyArray<ChannelAccount>,
): Promise<E.Either<ProcessFailure, Batch['intents']>> => {
  const { environment } = batch
  const own = payers.of(batch)
  if (own === null) return E.right([])
  if (channelSources !== null) {
    if (isContractCall(batch.class)) {
      const isThere = await isOnLedger(outgoing, environment, own)
      if (E.isLeft(isThere)) return isThere
      if (!isThere.right) return E.right([])
    }
    return sendAs(outgoing, batch, own, channelSources, channels)
  }
  const feePayer = sponsorOf(outgoing, batch) ?? own
  const { readModels } = outgoing.services
  if (feePayer !== own && rotationUnderWay(readModels, environment, feePayer.account) !== null) return E.right([])
  const source = await sequenceSourceOf(outgoing, environment, feePayer)
  if (E.isLeft(source)) return source
  if (source.right === null && !isBusy(readModels, environment, feePayer.account))
    outgoing.raise({ _tag: 'FeeSourceCannotPay', account: feePayer.account })
  return sendAs(outgoing, batch, own, source.right === null ? [] : [source.right], channels)
}

/** Sends a batch signed by the key that has weight now. */
const sendAs = async (
  outgoing: Outgoing,
  batch: Batch,
  own: OwnAccount,
  sources: Array<SequenceSource>,
  channels: ReadonlyArray<ChannelAccount>,
): Promise<E.Either<ProcessFailure, Batch['intents']>> => {
  if (sources.length === 0) return E.right([])
  const present = sources.find(({ signer }) => signer.account === own.account)
  const payer = present === undefined ? await signerNow(outgoing, batch.environment, own) : E.right(present.signer)
  if (E.isLeft(payer)) return payer
  return payer.right === null ? E.right([]) : sendFromOne(outgoing, batch, payer.right, sources, channels)
}

/** The operator's account, which pays the fees of merchants whose reserves it sponsors. Null: the merchant pays. */
const sponsorOf = ({ services, network }: Outgoing, { merchantId, environment }: Scope): OwnAccount | null => {
  const setUp = services.readModels.settlementSetUps.withId(settlementSetUpId(merchantId, environment))
  return setUp?.row.isSponsored === true ? operatorAccount(services, network, environment) : null
}

/**
 * Leaves out paused intents and those that no key can sign for, so that they take up no room; those of merchants whose
 * ledgers are not placed yet, since one of these may hold the payment, whose payment may be one that the log has lost, or
 * whose transaction was sent; and those of accounts whose key is rotated, which waits until no transaction of the account is
 * open.
 */
function* payable(
  outgoing: Outgoing,
  environment: Environment,
  payers: Payers,
  waiting: ReadonlyArray<Iterable<Found<IntentRow>>>,
): Generator<Found<IntentRow>> {
  const { services } = outgoing
  const isPaused = pausedIn(services, environment, 'dispatch')
  const isUnattachable = pausedIn(services, environment, 'attach')
  const isCarried = carriedIn(outgoing, environment)
  const perhapsPaid = perhapsPaidIn(services)
  const isHeldUp = heldUpByRotations(outgoing, environment)
  for (const each of waiting)
    for (const intent of each) {
      const { merchantId, row } = intent
      const { source, action } = row.details
      if (isCarried(intent)) continue
      if (action._tag === 'payment' && perhapsPaid({ merchantId, environment }, action) !== null) continue
      if (!isUpToDate(services)({ merchantId, environment })) continue
      if (isHeldUp(intent)) continue
      if (isUnattachable(intent) || isPaused(intent) || isPaused({ merchantId, environment, id: source })) continue
      if (payers.of({ merchantId, environment, source }) !== null) yield intent
    }
}

/** Whether an intent waits for the rotation of its account's key, or a rotation for the account's open transactions. */
const heldUpByRotations = ({ services: { readModels }, ingested }: Outgoing, environment: Environment) => {
  const isRotating = new Map<AccountId, boolean>()
  return ({ row: { details } }: Found<IntentRow>): boolean => {
    const { source } = details
    if (details.class === 'rotation') return isInUse(readModels, environment, source, ingested)
    const known = isRotating.get(source) ?? rotationUnderWay(readModels, environment, source) !== null
    isRotating.set(source, known)
    return known
  }
}

/**
 * Sends from the first source that can pay the fee, and drops those before it. Answers the intents that did not fit.
 */
const sendFromOne = async (
  outgoing: Outgoing,
  batch: Batch,
  payer: AccountSigner,
  sources: Array<SequenceSource>,
  channels: ReadonlyArray<ChannelAccount>,
): Promise<E.Either<ProcessFailure, Batch['intents']>> => {
  const bid = sources.length === 0 ? null : await firstBid(outgoing.network.gateway, batch.class)
  for (let [source] = sources; source !== undefined && bid !== null; [source] = sources) {
    const isFree = !isBusy(outgoing.services.readModels, batch.environment, source.signer.account)
    if (!isFree || !canPay(outgoing, source, batch, bid)) {
      sources.shift()
      continue
    }
    const sent = await send(outgoing, batch, payer, source, bid, channels)
    if (E.isLeft(sent)) return sent
    const heldUp = await heldUpIn(outgoing, batch)
    if (E.isLeft(heldUp)) return heldUp
    // Nothing of a batch that is held up was sent, and the account sequence may be free again.
    if (heldUp.right.length > 0) return heldUp
    sources.shift()
    return sent
  }
  return E.right([])
}

/** The intents of a batch that wait again because another one could not be attached. */
const heldUpIn = async (
  { services }: Outgoing,
  { environment, intents }: Batch,
): Promise<E.Either<ProcessFailure, Batch['intents']>> => {
  const isUnattachable = pausedIn(services, environment, 'attach')
  if (!intents.some(isUnattachable)) return E.right([])
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const isWaiting = ({ id }: Item) => services.readModels.intents.withId(id)?.row.status === 'waiting'
  return E.right(intents.filter((each) => !isUnattachable(each) && isWaiting(each)))
}

/** A contract call is one operation; its resource fee comes on top. */
const canPay = ({ raise }: Outgoing, { view }: SequenceSource, batch: Batch, bid: Stroops): boolean => {
  const isEnough = view.nativeSpendable >= bid * BigInt(isContractCall(batch.class) ? 1 : operationsIn(batch))
  if (!isEnough) raise({ _tag: 'FeeSourceCannotPay', account: view.account })
  return isEnough
}

const send = async (
  outgoing: Outgoing,
  batch: Batch,
  payer: AccountSigner,
  { signer, view }: SequenceSource,
  bid: Stroops,
  channels: ReadonlyArray<ChannelAccount>,
): Promise<E.Either<ProcessFailure, Batch['intents']>> => {
  const sequence = nextSequence(outgoing.services.readModels, batch.environment, view)
  const prepared = await prepare(outgoing, batch, { signer, sequence, spendable: view.nativeSpendable, bid }, payer)
  if (E.isLeft(prepared)) {
    if (prepared.left._tag !== 'SignerUnavailable') return E.left(prepared.left)
    outgoing.raise({ _tag: 'CannotSign', account: batch.source, cause: prepared.left.cause })
    return E.right([])
  }
  if (prepared.right === null) return E.right([])
  const { ours, postponed } = prepared.right
  return E.map(() => postponed)(await advance(outgoing, channels, ours))
}
