import {
  accountName,
  addBalances,
  asText,
  type BooksOf,
  booksId,
  type CreditBalance,
  Credits,
  type CreditsCommand,
  type CreditsRejection,
  type CreditsState,
  noCredits,
  type PositiveCount,
  periodOf,
  positiveCount,
} from '@quittance/domain'
import type { ReadModels, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { allOf } from '../../kernel/all-of.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { fold } from '../../kernel/fold.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

type Entered = { readonly balance: CreditBalance }
type Entry = Exclude<CreditsCommand, { readonly type: 'OpenBooks' | 'CloseBooks' }>
type BooksAreHandedOver = Extract<CreditsRejection, { readonly _tag: 'BooksAreHandedOver' }>
type EntryRejection = Exclude<CreditsRejection, { readonly _tag: 'BooksAreClosed' | 'BooksAreHandedOver' }>
export type EntryFailure = EntryRejection | ExecuteFailure
type Books = Pick<Services, 'store' | 'readModels'>

/** A stream of this length can be folded at each entry without a noticeable delay. */
export const eventsInPeriod = positiveCount(100)

/** The accounts of all customers who are the same person: first the one in whose books entries are made. */
export const accountsOf = async (
  { readModels }: Pick<Books, 'readModels'>,
  { customerId, productId }: BooksOf,
): Promise<readonly [BooksOf, ...ReadonlyArray<BooksOf>]> => {
  const [owner = customerId, ...merged] = await readModels.customerFamily.allOf(customerId)
  return [{ customerId: owner, productId }, ...merged.map((each) => ({ customerId: each, productId }))]
}

/**
 * Makes an entry in the books that are open. The append that makes them long enough closes them too, and the first entry
 * after it opens the next ones with their balance, so a crash between appends leaves nothing half done. A repeated command
 * looks for its own entry in closed books too, back to `since`: a position of the log before its first run.
 *
 * Entries of merged customers are made in the books of the one that remains, after their own were handed over: so nothing is
 * entered behind a repeated command that finds nothing of its own in them.
 */
export const enter = async (
  services: Books,
  context: CommandContext,
  of: BooksOf,
  entry: Entry,
  since: bigint,
  atEvents: PositiveCount = eventsInPeriod,
): Promise<E.Either<EntryFailure, Entered>> => {
  const [owner, ...merged] = await accountsOf(services, of)
  const taken = await takeOver(services, context, owner, merged)
  const own = await enteredBefore(services, context, of, since)
  if (E.isLeft(own)) return own
  if (own.right !== null) return E.right(own.right)
  const entered = E.isLeft(taken) ? taken : await enterIn(services, context, owner, entry, atEvents)
  if (E.isRight(entered)) return E.right(balanceIn(entered.right))
  if (entered.left._tag !== 'BooksAreHandedOver') return E.left(entered.left)
  // The customer was merged a moment ago.
  const before = await enteredBefore(services, context, of, since)
  if (E.isLeft(before)) return before
  if (before.right !== null) return E.right(before.right)
  return enter(services, context, accountNamed(entered.left.to), entry, since, atEvents)
}

/** Ends the books of merged customers and adds what they hold to the owner's. Repeated, it goes on where it stopped. */
const takeOver = async (
  services: Books,
  context: CommandContext,
  owner: BooksOf,
  merged: ReadonlyArray<BooksOf>,
): Promise<E.Either<EntryFailure | BooksAreHandedOver, void>> => {
  if (merged.length === 0) return E.right(undefined)
  const current = await balanceOfAccount(services, context, owner)
  if (E.isLeft(current)) return current
  const { alongside: _, answeredFrom: __, answerFrom: ___, isFirstRun: ____, ...own } = context
  const step = (name: string) => ({ ...own, commandId: derivedCommandId(context.commandId, name) })
  const handed: Array<{ readonly from: string; readonly balance: CreditBalance }> = []
  // All are ended before any is added, and of two merged ones the one that has taken the other's place comes first: it may
  // have taken the other's over, which is not added again then.
  for (const account of merged) {
    const from = accountName(account)
    if (current.right.takenOver?.some((each) => each === from) === true) continue
    const command = { type: 'HandOverBooks' as const, to: asText(accountName(owner)) }
    const ended = await enterIn(services, step(`hand over ${from}`), account, command)
    if (E.isLeft(ended)) return ended
    handed.push({ from, balance: balanceIn(ended.right).balance })
  }
  for (const { from, balance } of handed) {
    const command = { type: 'TakeOverBooks' as const, from: asText(from), balance }
    const added = await enterIn(services, step(`take over ${from}`), owner, command)
    if (E.isLeft(added)) return added
  }
  return E.right(undefined)
}

const accountNamed = (account: string): BooksOf => {
  const [customerId = '', productId = ''] = account.split('/')
  return { customerId, productId }
}

/** Makes an entry in the open books of one account, and answers their state. */
const enterIn = async (
  { store, readModels }: Books,
  context: CommandContext,
  of: BooksOf,
  entry: Entry,
  atEvents: PositiveCount = eventsInPeriod,
): Promise<E.Either<EntryFailure | BooksAreHandedOver, CreditsState>> => {
  let period = await newestKnown(readModels, context, of)
  const commands: ReadonlyArray<CreditsCommand> = [entry, { type: 'CloseBooks', atEvents }]
  let opening: ReadonlyArray<CreditsCommand> = []
  for (;;) {
    const decide = allOf(Credits.decider, [...opening, ...commands])
    const entered = await execute(store)(Credits, booksId(of, period), context, decide)
    if (E.isRight(entered)) return E.right(entered.right.state)
    if (entered.left._tag !== 'BooksAreClosed') return E.left(entered.left)
    opening = [{ type: 'OpenBooks', carried: entered.left.balance }]
    period = positiveCount(period + 1)
  }
}

/**
 * As `enter`, for a step of a process: null when the domain answers with an `expected` rejection; any other is the failure
 * `StepRejected`.
 */
export const enterStep = async (
  expected: ReadonlyArray<EntryRejection['_tag']>,
  services: Books,
  context: CommandContext,
  of: BooksOf,
  entry: Entry,
  since: bigint,
): Promise<E.Either<ExecuteFailure, Entered | null>> => {
  const entered = await enter(services, context, of, entry, since)
  if (E.isRight(entered)) return entered
  switch (entered.left._tag) {
    case 'InsufficientCredits':
    case 'GrantNotFound':
    case 'CreditsAreSpent': {
      const { _tag: rejection } = entered.left
      if (expected.includes(rejection)) return E.right(null)
      return E.left({ _tag: 'StepRejected', stream: `${Credits.category}-${accountName(of)}`, rejection })
    }
    case 'ForeignStream':
    case 'TooManyConflicts':
    case 'StepRejected':
    case 'ClaimLost':
    case 'StoreUnavailable':
    case 'OutcomeUnknown':
      return E.left(entered.left)
  }
}

/** The balance; of merged customers, of all. */
export const balanceOf = async (
  services: Books,
  scope: Scope,
  of: BooksOf,
): Promise<E.Either<StoreUnavailable, CreditBalance>> => {
  const balances = new Map<string, CreditBalance>()
  // The owner's last: what is taken over in between is in both, and counts once.
  for (const account of [...(await accountsOf(services, of))].reverse()) {
    const balance = await balanceOfAccount(services, scope, account)
    if (E.isLeft(balance)) return balance
    balances.set(accountName(account), balance.right)
  }
  const taken = new Set<string>([...balances.values()].flatMap(({ takenOver }) => takenOver ?? []))
  const counted = [...balances].flatMap(([account, balance]) => (taken.has(account) ? [] : [balance]))
  const [first = noCredits, ...others] = counted
  return E.right(others.reduce(addBalances, first))
}

const balanceOfAccount = async (
  { store, readModels }: Books,
  scope: Scope,
  of: BooksOf,
): Promise<E.Either<StoreUnavailable, CreditBalance>> => {
  let carried = noCredits
  for (let period = await newestKnown(readModels, scope, of); ; period = positiveCount(period + 1)) {
    const slice = await store.readStream(`${Credits.category}-${booksId(of, period)}`)()
    if (E.isLeft(slice)) return slice
    const state = fold(Credits, slice.right.events)
    if (state.status === 'absent') return E.right(carried)
    if (state.status !== 'closed') return E.right(state.balance)
    carried = state.balance
  }
}

const balanceIn = (state: CreditsState): Entered => ({
  balance: state.status === 'absent' ? noCredits : state.balance,
})

/** The newest period in the read models, which may lag behind the log: the caller goes forward from there. */
const newestKnown = async (
  { creditBooks }: ReadModels,
  { merchantId, environment }: Scope,
  of: BooksOf,
): Promise<PositiveCount> => {
  const page = { merchantId, environment, listedUnder: accountName(of), limit: 1 }
  const [newest] = (await creditBooks.page(page)).rows
  return newest === undefined ? positiveCount(1) : periodOf(newest.id).period
}

/** What a command has entered already, in the newest books or in older ones back to `since`; null for nothing. */
export const enteredBefore = async (
  services: Books,
  context: CommandContext,
  of: BooksOf,
  since: bigint,
): Promise<E.Either<StoreUnavailable, Entered | null>> => {
  if (context.isFirstRun) return E.right(null)
  for (const account of await accountsOf(services, of)) {
    const entered = await enteredIn(services, context, account, since)
    if (E.isLeft(entered) || entered.right !== null) return entered
  }
  return E.right(null)
}

const enteredIn = async (
  { store, readModels }: Books,
  context: CommandContext,
  of: BooksOf,
  since: bigint,
): Promise<E.Either<StoreUnavailable, Entered | null>> => {
  for (let period: number = await newestKnown(readModels, context, of); period > 0; period--) {
    const slice = await store.readStream(`${Credits.category}-${booksId(of, positiveCount(period))}`)()
    if (E.isLeft(slice)) return slice
    const { events } = slice.right
    const own = events.slice(0, 1 + events.findLastIndex(({ metadata }) => metadata.commandId === context.commandId))
    if (own.length > 0) return E.right(balanceIn(fold(Credits, own)))
    const [first] = events
    if (first !== undefined && first.position < since) break
  }
  return E.right(null)
}
