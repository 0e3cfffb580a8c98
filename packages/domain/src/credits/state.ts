import { CorruptStream } from '../shared/decider.ts'
import type { CreditTransactionId, PaymentId } from '../shared/ids.ts'
import type { Text } from '../shared/text.ts'
import type { CreditBalance, CreditGrant, CreditsEvent } from './events.ts'
import { type Units, units } from './units.ts'

export type Absent = { readonly status: 'absent' }
/**
 * `events` counts those of this period. `grantedBy` are the payments, and `transactions` the entries, that this period
 * knows: those that were carried, and its own.
 */
export type Open = {
  readonly status: 'open'
  readonly balance: CreditBalance
  readonly events: number
  readonly grantedBy: ReadonlyArray<PaymentId>
  readonly transactions: ReadonlyArray<CreditTransactionId>
}
export type Closed = { readonly status: 'closed'; readonly balance: CreditBalance }
/** Of a customer who was merged into the one of the account `to`. */
export type HandedOver = { readonly status: 'handed_over'; readonly to: Text; readonly balance: CreditBalance }
/** What the events of its stream say about a customer's credits. */
export type CreditsState = Absent | Open | Closed | HandedOver

export const initial: CreditsState = { status: 'absent' }

/** The balance before any grant. */
export const noCredits: CreditBalance = { granted: units(0n), consumed: units(0n), reversed: units(0n), grants: [] }

/** What can still be consumed. */
export const unitsLeft = ({ granted, consumed, reversed }: CreditBalance): Units => units(granted - consumed - reversed)

export const evolve = (state: CreditsState, { type, data }: CreditsEvent): CreditsState => {
  if (state.status === 'closed' || state.status === 'handed_over') throw new CorruptStream(type, state.status)
  const open = state.status === 'open' ? state : opened(noCredits, 0)
  switch (type) {
    case 'BooksOpened':
      if (state.status === 'open') throw new CorruptStream(type, state.status)
      return opened(data.carried, 1)
    case 'CreditsGranted': {
      const { paymentId, units: added, transactionId } = data
      const { balance, grantedBy } = open
      const grants = [...balance.grants, { paymentId, units: added, left: added }]
      const granted = units(balance.granted + added)
      const entered = enter(open, transactionId, { ...balance, granted, grants })
      return { ...entered, grantedBy: [...grantedBy, paymentId] }
    }
    case 'CreditsConsumed': {
      const { balance } = open
      if (data.units > unitsLeft(balance)) throw new CorruptStream(type, 'short of credits')
      const consumed = units(balance.consumed + data.units)
      return enter(open, data.transactionId, { ...balance, consumed, grants: burned(balance.grants, data.units) })
    }
    case 'CreditsReversed': {
      const { balance } = open
      const grants = balance.grants.filter(({ paymentId }) => paymentId !== data.paymentId)
      return enter(open, data.transactionId, { ...balance, reversed: units(balance.reversed + data.units), grants })
    }
    case 'BooksClosed':
      return { status: 'closed', balance: data.balance }
    case 'BooksHandedOver':
      return { status: 'handed_over', to: data.to, balance: data.balance }
    case 'BooksTakenOver': {
      const grantedBy = [...open.grantedBy, ...data.balance.grants.map(({ paymentId }) => paymentId)]
      const balance = joined(open.balance, data.from, data.balance)
      return { ...open, balance, grantedBy, events: open.events + 1 }
    }
  }
}

/** The sum of balances. Ids of payments begin with their time: the oldest grant of all is the first. */
export const addBalances = (one: CreditBalance, other: CreditBalance): CreditBalance => ({
  granted: units(one.granted + other.granted),
  consumed: units(one.consumed + other.consumed),
  reversed: units(one.reversed + other.reversed),
  grants: [...one.grants, ...other.grants].sort((a, b) => (a.paymentId < b.paymentId ? -1 : 1)),
})

const joined = (own: CreditBalance, from: Text, other: CreditBalance): CreditBalance => ({
  ...addBalances(own, other),
  takenOver: [...(own.takenOver ?? []), from, ...(other.takenOver ?? [])],
})

const opened = (balance: CreditBalance, events: number): Open => ({
  status: 'open',
  balance,
  events,
  grantedBy: balance.grants.map(({ paymentId }) => paymentId),
  transactions: [],
})

const enter = (open: Open, transactionId: CreditTransactionId, balance: CreditBalance): Open => ({
  ...open,
  balance,
  events: open.events + 1,
  transactions: [...open.transactions, transactionId],
})

/** The grants after so many units were taken from them, the oldest first. What is spent is left out. */
const burned = (grants: ReadonlyArray<CreditGrant>, wanted: Units): ReadonlyArray<CreditGrant> => {
  let owed: bigint = wanted
  return grants.flatMap((grant) => {
    const taken = owed < grant.left ? owed : grant.left
    owed -= taken
    return taken === grant.left ? [] : [{ ...grant, left: units(grant.left - taken) }]
  })
}
