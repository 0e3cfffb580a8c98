import {
  AccountId,
  Channel,
  CorruptStream,
  channelOf,
  Environment,
  Intent,
  type IntentState,
  LedgerTransaction,
  type LedgerTransactionState,
  Limits,
  Merchant,
  type MerchantState,
  numberLine,
  Payout,
  PayoutBook,
  type PayoutState,
  placeOfMandate,
  type RecordedEvent,
  Refund,
  type RefundState,
  Reservation,
  Subscription,
  type SubscriptionState,
} from '@quittance/domain'
import { fold } from '../../kernel/fold.ts'
import { platform } from '../../kernel/platform.ts'
import type { Beginning } from './lines.ts'
import { mergesOf } from './own-merges.ts'
import { categoryOf, idOf, intentsIn } from './own-streams.ts'

/** Thrown where an export holds what is not, or not provably, the merchant's own. */
export class ForeignContent extends Error {}

/** What somebody else here has: the installation itself, or another merchant. */
export type Here = {
  readonly hasAccount: (account: AccountId) => Promise<boolean>
  /** Whether an event's field of this name, with this value, names something of theirs. */
  readonly hasNamed: (field: string, value: string) => Promise<boolean>
}

export const accountIn = (environment: string, account: unknown): string => `${environment} ${account}`

/** The fields whose accounts pay, charge, receive or give numbers. Money may come from, or go to, whatever account there is. */
const roles: ReadonlySet<string> = new Set([
  'account',
  'operator',
  'owner',
  'source',
  'sourceAccount',
  'feeSource',
  'sponsor',
])
/** Of these, the accounts that are the merchant's in every export; the others may be the source's. */
const own: ReadonlySet<string> = new Set(['account', 'owner'])

type Named = { readonly role: string; readonly account: AccountId; readonly environment: Environment }

const namedIn = function* (value: unknown, environment: Environment): Generator<Named, void> {
  if (Array.isArray(value)) for (const each of value) yield* namedIn(each, environment)
  else if (typeof value === 'object' && value !== null) {
    const of = 'environment' in value && Environment.is(value.environment) ? value.environment : environment
    for (const [role, each] of Object.entries(value))
      if (roles.has(role) && AccountId.is(each)) yield { role, account: each, environment: of }
      else yield* namedIn(each, of)
  }
}

/** The texts of an event, by their fields. */
const textsIn = function* (value: unknown): Generator<readonly [field: string, text: string], void> {
  if (typeof value !== 'object' || value === null) return
  for (const [field, each] of Object.entries(value))
    if (typeof each === 'string') yield [field, each]
    else yield* textsIn(each)
}

/** The states of the streams of one aggregate. */
const statesOf = <Command, Event, State, Rejection>(
  aggregate: Parameters<typeof fold<Command, Event, State, Rejection>>[0],
) => {
  const states = new Map<string, State>()
  return {
    states,
    take: (event: RecordedEvent): void =>
      void states.set(event.stream, fold(aggregate, [event], states.get(event.stream))),
  }
}

/**
 * What the events of an export are about, read one by one. `end` throws `ForeignContent` unless all of it is the merchant's own
 * and at rest, as when a merchant leaves: nothing in it may be sent, and nothing may name an account of anybody here.
 */
export const contentOf = ({ merchantId, accounts, foreign }: Beginning, here: Here) => {
  const merchant = statesOf(Merchant)
  const intents = statesOf(Intent)
  const transactions = statesOf(LedgerTransaction)
  const refunds = statesOf(Refund)
  const payouts = statesOf(Payout)
  const subscriptions = statesOf(Subscription)
  const environments = new Map<string, Environment>()
  const folded = new Map([
    [Merchant.category, merchant.take],
    [Intent.category, intents.take],
    [LedgerTransaction.category, transactions.take],
    [Refund.category, refunds.take],
    [Payout.category, payouts.take],
    [Subscription.category, subscriptions.take],
  ])
  /** What `SettlementAccountSet` names, and in whose custody it is. */
  const settlements = new Map<string, 'service' | 'merchant'>()
  const carried = new Set<unknown>()
  const merges = mergesOf(merchantId)
  const lines = new Set<string>()
  const named = new Map<string, Named & { readonly by: string }>()

  const takeStream = (event: RecordedEvent): void => {
    const [category, id] = [categoryOf(event), idOf(event)]
    const isPlatforms = event.metadata.merchantId === platform
    const refuse = (): never => {
      throw new ForeignContent(`${event.type} of ${event.stream}`)
    }
    if (!merges.take(event)) refuse()
    for (const [other] of id.matchAll(/mer_[0-9A-Za-z]+/g)) if (other !== merchantId) refuse()
    switch (category) {
      case Merchant.category:
        if (id !== merchantId) refuse()
        break
      case Limits.category:
      case PayoutBook.category:
        if (!id.startsWith(`${merchantId}/`)) refuse()
        break
      case Subscription.category:
        environments.set(event.stream, event.metadata.environment)
        break
      case Channel.category:
        lines.add(channelOf(id).line)
        break
      case Reservation.category: {
        const { owner, from = owner } = event.data
        if (isPlatforms && (owner !== merchantId || from !== merchantId)) refuse()
        break
      }
      case LedgerTransaction.category:
        if (event.type === 'TransactionPrepared' && intentsIn(event).length === 0 && isPlatforms) refuse()
        for (const intent of intentsIn(event)) carried.add(intent)
        break
    }
  }

  const take = async (event: RecordedEvent): Promise<void> => {
    const { type, data, metadata } = event
    try {
      takeStream(event)
      folded.get(categoryOf(event))?.(event)
    } catch (cause) {
      if (cause instanceof CorruptStream || cause instanceof RangeError)
        throw new ForeignContent(`${type} of ${event.stream}`)
      throw cause
    }
    for (const [field, text] of textsIn(data))
      if (await here.hasNamed(field, text)) throw new ForeignContent(`${field} ${text} in ${type} of ${event.stream}`)
    // A merchant whose network was reset does not leave.
    if (type === 'SettlementBooksClosed') throw new ForeignContent(`${type} of ${event.stream}`)
    if (type === 'SettlementAccountSet')
      settlements.set(
        accountIn(String(data.environment), data.account),
        data.custody === 'merchant' ? 'merchant' : 'service',
      )
    for (const each of namedIn(data, metadata.environment))
      named.set(`${each.role} ${accountIn(each.environment, each.account)}`, {
        ...each,
        by: `${type} of ${event.stream}`,
      })
  }

  /** `proven`: the accounts whose first key is in the export. */
  const end = async (proven: ReadonlySet<string>): Promise<MerchantState> => {
    requireAtRest({ intents: intents.states, transactions: transactions.states })
    requireEnded(refunds.states)
    requireEnded(payouts.states)
    for (const { environment, account, holds } of accounts) {
      const where = accountIn(environment, account)
      const isOwn = holds === 'settlement' && settlements.get(where) === 'merchant'
      if (holds === 'settlement' && !settlements.has(where)) throw new ForeignContent(`the account ${account}`)
      if (!isOwn && !proven.has(where)) throw new ForeignContent(`the account ${account}`)
    }
    const owned = new Set(accounts.map(({ environment, account }) => accountIn(environment, account)))
    for (const where of settlements.keys()) if (!owned.has(where)) throw new ForeignContent(`the account ${where}`)
    for (const { account } of accounts)
      if (await here.hasAccount(account)) throw new ForeignContent(`the account ${account}, which somebody here has`)
    for (const [stream, subscription] of subscriptions.states)
      for (const operator of livingOperators(subscription))
        if (!owned.has(accountIn(String(environments.get(stream)), operator)))
          throw new ForeignContent(`a living mandate of ${stream}, which ${operator} may charge`)
    const strangers = new Set<AccountId>()
    for (const { role, environment, account, by } of named.values()) {
      if (owned.has(accountIn(environment, account))) continue
      if (own.has(role) || (await here.hasAccount(account))) throw new ForeignContent(`${account} in ${by}`)
      strangers.add(account)
    }
    for (const account of foreign) if (!strangers.has(account)) throw new ForeignContent(`the account ${account}`)
    for (const line of lines)
      if (!accounts.some(({ account }) => line === numberLine(account, 0)))
        throw new ForeignContent(`the sequence numbers ${line}`)
    const ofOthers = merges.foreign()
    if (ofOthers !== null) throw new ForeignContent(`a customer in ${ofOthers}`)
    for (const id of carried)
      if (!intents.states.has(`${Intent.category}-${id}`)) throw new ForeignContent(`a transaction of ${id}`)
    return merchant.states.get(`${Merchant.category}-${merchantId}`) ?? Merchant.decider.initial
  }

  return { take, end, settlements }
}

/** The accounts that may charge the mandates of a subscription that live: the present one, and those that are to be ended. */
const livingOperators = (state: SubscriptionState): ReadonlyArray<AccountId> => {
  if (state.status === 'absent') return []
  const { mandate, ended } = state.authorization
  const retired = state.retired.map(({ mandateId }) => placeOfMandate(state, mandateId).operator)
  return ended === null ? [mandate.operator, ...retired] : retired
}

type Outgoing = {
  readonly intents: ReadonlyMap<string, IntentState>
  readonly transactions: ReadonlyMap<string, LedgerTransactionState>
}

/** What has not ended would be sent. */
const requireAtRest = ({ intents, transactions }: Outgoing): void => {
  for (const [stream, { status }] of intents)
    if (status !== 'reported') throw new ForeignContent(`${stream}, which is under way`)
  for (const [stream, { status }] of transactions)
    if (status !== 'closed') throw new ForeignContent(`${stream}, which is under way`)
}

const requireEnded = (states: ReadonlyMap<string, RefundState | PayoutState>): void => {
  for (const [stream, { status }] of states)
    if (status === 'pending') throw new ForeignContent(`${stream}, which is under way`)
}
