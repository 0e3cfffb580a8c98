import {
  asText,
  type Environment,
  Exception,
  type ExceptionDetails,
  type ExceptionId,
  MuxedId,
  stroops,
} from '@quittance/domain'
import type { Movement } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type LeftOver, leftOverKey, leftOvers } from '../../features/book-lines/left-over.ts'
import type { NameTag } from '../../features/book-lines/name-counter.ts'
import { type NamingFacts, nameMovement } from '../../features/book-lines/name-movement.ts'
import { nameSums } from '../../features/book-lines/name-sums.ts'
import { bookedOwnMovement } from '../../features/own-account/booked-movement.ts'
import { bookOwnMovement, isOwnDoing } from '../../features/own-account/own-movements.ts'
import { openingOf } from '../../features/payments/open-exception.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { stepUnless } from '../../kernel/step.ts'
import { lookedUpOnce, type Owner, type Owners } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import type { Breach, Violation } from '../../stores/invariant.ts'
import type { Share } from '../../stores/parked/share.ts'
import { recordedFacts } from './recorded-facts.ts'

type ExplainServices = Pick<
  Services,
  'store' | 'readModels' | 'caughtUp' | 'awaitingRate' | 'violations' | 'clock' | 'vault'
>
type LeftOverTag = Extract<NameTag, 'own' | 'unexplained'>

/** `named` takes the name of each left-over, by its key. */
type Explained = {
  readonly leftOver: ReadonlyArray<{ readonly change: LeftOver; readonly parts: ReadonlyArray<Movement> }>
  readonly named: (tagOf: (key: string) => LeftOverTag) => ReadonlyArray<NameTag>
}

/** Names movements by what is recorded, and adds up the others. */
export const explained = async (facts: NamingFacts, movements: ReadonlyArray<Movement>): Promise<Explained> => {
  const single = await Promise.all(movements.map((movement) => nameMovement(facts, movement)))
  const names = await nameSums(facts, movements, single)
  const unnamed = movements.filter((_, index) => names[index] === null)
  const partsOf = Map.groupBy(unnamed, leftOverKey)
  return {
    leftOver: leftOvers(unnamed).map((change) => ({ change, parts: partsOf.get(leftOverKey(change)) ?? [] })),
    named: (tagOf) => movements.map((movement, index) => names[index]?._tag ?? tagOf(leftOverKey(movement))),
  }
}

/**
 * Gives every change of a settlement account's balance in a ledger a name, after the ledger's incoming payments and the
 * outcomes of our transactions are recorded. A change that nothing of ours accounts for is the merchant's own doing, or an
 * exception. Returns the name of each; a repetition writes nothing twice. An exception that cannot be found afterwards
 * breaks an invariant, and halts nothing.
 */
export const explainLedger = async (
  services: ExplainServices,
  environment: Environment,
  ownerOf: Owners,
  onViolation: (violation: Violation) => void,
  { movements, forgotten }: Pick<Share, 'movements' | 'forgotten'>,
): Promise<E.Either<ExecuteFailure | StoreUnavailable, ReadonlyArray<NameTag>>> => {
  const { caughtUp, readModels, violations, clock } = services
  if (movements.length === 0) return E.right([])
  const caught = await caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const facts = recordedFacts(services, lookedUpOnce(ownerOf))
  const { named, leftOver } = await explained(facts, movements)
  const own = new Set<string>()
  for (const { change, parts } of leftOver) {
    const owner = await ownerOf(change.account)
    if (owner === null) continue
    if (await isOwn(services, owner, change, parts)) {
      const booked = await bookOwnMovement(services, owner, change)
      if (E.isLeft(booked)) return booked
      own.add(leftOverKey(change))
      continue
    }
    const opened = await openUnexplained(services, owner, change, forgottenParts(forgotten, parts))
    if (E.isLeft(opened)) return opened
    const shown = await caughtUp.withLog()
    if (E.isLeft(shown)) return shown
    const breaches = (await readModels.unexplained.withId(opened.right)) === null ? [nameless] : []
    const found = await violations.set(environment, leftOverKey(change), breaches, clock.now(environment))
    found.forEach(onViolation)
  }
  return E.right(named((key) => (own.has(key) ? 'own' : 'unexplained')))
}

/** A booked movement stays booked, whatever is known of the merchant's accounts by now. */
const isOwn = async (
  services: ExplainServices,
  owner: Owner,
  change: LeftOver,
  parts: ReadonlyArray<Movement>,
): Promise<boolean> => {
  if ((await bookedOwnMovement(services.readModels, owner, change)) !== null) return true
  const { id } = unexplainedOf(owner, change)
  return (await services.readModels.exceptions.withId(id)) === null && (await isOwnDoing(services, owner, parts))
}

const unexplainedOf = (scope: Scope, change: LeftOver) =>
  openingOf(scope, `${scope.environment}/${leftOverKey(change)}`, 'unexplained', change.closedAt)

const nameless: Breach = { invariant: 'changes_named', detail: 'nothing in the log stands for it' }

/** What a closed ledger says of payments of ours in a transaction that the log had lost: nobody else can say more. */
const forgottenParts = (
  forgotten: Share['forgotten'],
  parts: ReadonlyArray<Movement>,
): Partial<Pick<ExceptionDetails, 'paidTo' | 'memo'>> => {
  const isForgotten = ({ transactionHash }: Movement) =>
    forgotten.some(({ outcome }) => outcome.transactionHash === transactionHash)
  const paidTo = parts.filter(isForgotten).flatMap(({ counterparty, delta, operationIndex }) => {
    if (delta >= 0n || operationIndex === null || counterparty?._tag !== 'account') return []
    const { account: destination, muxedId } = counterparty
    const muxed = muxedId === null ? {} : { destinationMuxedId: decodeOrThrow(MuxedId, muxedId) }
    return [{ operationIndex, destination, amount: stroops(-delta), ...muxed }]
  })
  const memo = parts[0]?.memo
  if (paidTo.length === 0) return {}
  return memo === undefined || memo._tag === 'none'
    ? { paidTo }
    : { paidTo, memo: { type: memo._tag, value: asText(memo.value) } }
}

/** An exception that is already open stays as it is, even if more of its transaction could be explained by now. */
const openUnexplained = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  change: LeftOver,
  forgotten: ReturnType<typeof forgottenParts>,
): Promise<E.Either<ExecuteFailure, ExceptionId>> => {
  const { transactionHash, operationIndex, assetId, account, from, delta, ledger, closedAt, movements } = change
  const { context, id } = unexplainedOf(scope, change)
  const decide = Exception.decider.decide({
    type: 'OpenException',
    kind: 'unexplained',
    assetId,
    amount: stroops(delta < 0n ? -delta : delta),
    transactionHash,
    operationIndex,
    from,
    checkoutId: null,
    paymentId: null,
    ledger,
    closedAt,
    change: { account, direction: delta < 0n ? 'loss' : 'gain', movements: movements.map((each) => asText(each)) },
    ...forgotten,
  })
  const opened = await stepUnless(store)(['ExceptionAlreadyOpen'], Exception, id, context, decide)
  return E.isLeft(opened) ? opened : E.right(id)
}
