import { Checkout, InvoiceSession, Payment } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { rememberedStreams } from './remembered.ts'
import { sessionsOf } from './session-kinds.ts'

const open = (store: EventStore) => ({
  checkouts: rememberedStreams(store, Checkout),
  invoices: rememberedStreams(store, InvoiceSession),
  payments: rememberedStreams(store, Payment),
})

const opened = new WeakMap<EventStore, ReturnType<typeof open>>()

const of = (store: EventStore): ReturnType<typeof open> => {
  const known = opened.get(store) ?? open(store)
  opened.set(store, known)
  return known
}

/** The sessions of this session's kind, kept in memory: a flooded one is not read from its beginning for each ledger. */
export const rememberedSessions = (store: EventStore, id: string) =>
  sessionsOf(id) === Checkout ? of(store).checkouts : of(store).invoices

export const rememberedPayments = (store: EventStore) => of(store).payments
