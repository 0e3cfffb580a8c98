import type { Environment, Stroops } from '@quittance/domain'
import { type Found, type IntentRow, type Scope, settlementSetUpId } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { firstBid, isContractCall, needsOperator } from '../features/outgoing/fees.ts'
import { merchantsWaiting } from '../features/outgoing/merchants-in-turn.ts'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { rotationHoldingUp, waitingRotations } from '../features/outgoing/rotations.ts'
import { isBusy, nextSequence } from '../features/outgoing/sequence.ts'
import {
  type AccountSigner,
  type ChannelAccount,
  channelAccounts,
  type OwnAccount,
  operatorAccount,
} from '../features/outgoing/signing-accounts.ts'
import { signerNow } from '../features/outgoing/weightless.ts'
import { filterInTurn } from '../kernel/checks-in-turn.ts'
import { platform } from '../kernel/platform.ts'
import { eachIsolated, pausedIn, unlessLocal } from '../services/each-isolated.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Item } from '../stores/setbacks/setbacks.ts'
import { advance } from './advance.ts'
import { type Batch, batchesOf } from './batches.ts'
import { operationsIn } from './draft-set-up.ts'
import { payable } from './payable.ts'
import { type Payers, payersOf, whileAnyWaits } from './payers.ts'
import { prepare } from './prepare.ts'
import { offlineIntent, sendOffline } from './send-offline.ts'
import { freeChannels, isOnLedger, type SequenceSource, sequenceSourceOf } from './sequence-sources.ts'

/** How many of the free channels may be used. */
export type Share = 'all' | 'half'

/**
 * Sends the rotations of keys. Each takes its own account's sequence number, or its sponsor's, so it needs no channel; those of
 * the channels themselves could have none.
 */
export const sendRotations = async (
  outgoing: Outgoing,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const { services } = outgoing
  const waiting = await Array.fromAsync(
    waitingRotations(services.readModels, environment, await merchantsWaiting(outgoing, environment)),
  )
  if (waiting.length === 0) return E.right(undefined)
  const channels = await channelAccounts(services, environment)
  const payers = payersOf(outgoing, channels)
  for (const intent of waiting) {
    const offline = offlineIntent(intent)
    const sent = offline === null ? E.right(undefined) : await sendOffline(outgoing, channels, offline)
    if (E.isLeft(sent)) return sent
  }
  const online = waiting.filter((intent) => offlineIntent(intent) === null)
  for await (const intent of payable(outgoing, environment, payers, [online])) {
    const { source, class: of } = intent.row.details
    const batch: Batch = { merchantId: intent.merchantId, environment, source, class: of, intents: [intent] }
    const sent = await sendOfOne(services, batch, () => sendBatch(outgoing, batch, payers, null, channels))
    if (E.isLeft(sent)) return sent
  }
  return payers.report(environment)
}

/** Intents that are read as far as they are asked for. */
type Waiting =
  | (Iterator<Found<IntentRow>, undefined> & Iterable<Found<IntentRow>>)
  | AsyncGenerator<Found<IntentRow>, undefined>

/** Sends waiting intents, as far as free channels, or the paying accounts, allow. */
export const sendWaiting = async (
  outgoing: Outgoing,
  environment: Environment,
  waiting: Waiting,
  share: Share,
): Promise<E.Either<ProcessFailure, void>> => {
  const first = await waiting.next()
  return first.done === true ? E.right(undefined) : sendAll(outgoing, environment, share, [first.value], waiting)
}

const sendAll = async (
  outgoing: Outgoing,
  environment: Environment,
  share: Share,
  ...waiting: ReadonlyArray<Iterable<Found<IntentRow>> | Waiting>
): Promise<E.Either<ProcessFailure, void>> => {
  const { services } = outgoing
  const channels = await channelAccounts(services, environment)
  const found = await freeChannels(outgoing, environment, channels)
  if (E.isLeft(found)) return found
  const { isAny, free } = found.right
  const sources = isAny ? [...free] : null
  const payers = payersOf(outgoing, channels)
  const operations = await outgoing.ledgerRoom.operations(outgoing.ingested.sequence)
  const taken = share === 'all' ? free.length : Math.ceil(free.length / 2)
  const transactions = isAny ? { each: taken, all: taken } : { each: 1, all: Number.POSITIVE_INFINITY }
  const room = { ...transactions, operations }
  const batches = [...(await batchesOf(payable(outgoing, environment, payers, waiting), room))]
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
  const { environment, intents } = batch
  const own = intents[0] === undefined ? null : await payers.of(intents[0])
  if (own === null) return E.right([])
  if (channelSources !== null) {
    if (needsOperator(batch.class)) {
      const isThere = await isOnLedger(outgoing, environment, own)
      if (E.isLeft(isThere)) return isThere
      if (!isThere.right) return E.right([])
    }
    return sendAs(outgoing, batch, own, channelSources, channels)
  }
  const feePayer = (await sponsorOf(outgoing, batch)) ?? own
  const { readModels } = outgoing.services
  if (feePayer !== own && (await rotationHoldingUp(readModels, environment, feePayer.account)) !== null)
    return E.right([])
  const source = await sequenceSourceOf(outgoing, environment, feePayer)
  if (E.isLeft(source)) return source
  if (source.right === null && !(await isBusy(readModels, environment, feePayer.account)))
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
const sponsorOf = async ({ services }: Outgoing, { merchantId, environment }: Scope): Promise<OwnAccount | null> => {
  const setUp = await services.readModels.settlementSetUps.withId(settlementSetUpId(merchantId, environment))
  return setUp?.row.isSponsored === true ? await operatorAccount(services, environment) : null
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
    const isFree = !(await isBusy(outgoing.services.readModels, batch.environment, source.signer.account))
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
  const isUnattachable = await pausedIn(services, environment, 'attach')
  if (!intents.some(isUnattachable)) return E.right([])
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const isWaiting = async ({ id }: Item) => (await services.readModels.intents.withId(id))?.row.status === 'waiting'
  return E.right(await filterInTurn(intents, async (each) => !isUnattachable(each) && (await isWaiting(each))))
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
  const sequence = await nextSequence(outgoing.services.readModels, batch.environment, view)
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
