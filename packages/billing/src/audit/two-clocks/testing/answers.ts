import { CustomerId } from '@quittance/domain'
import type { PageRequest, Scope } from '@quittance/projections'
import * as t from 'io-ts'
import type { TestPlatform } from '../../../testing/platform.ts'
import type { Readable } from '../as-of.ts'

/** The ids of all that can be asked for. */
export const idsIn = async (platform: TestPlatform) => {
  const shown = await platform.shown()
  const of = async (model: { readonly all: () => Promise<ReadonlyArray<{ readonly id: string }>> }) =>
    (await model.all()).map(({ id }) => id)
  return {
    products: await of(shown.products),
    customers: await of(shown.customers),
    checkouts: await of(shown.checkouts),
    payments: await of(shown.payments),
    refunds: await of(shown.refunds),
    subscriptions: await of(shown.subscriptions),
    exceptions: await of(shown.exceptions),
    payouts: await of(shown.payouts),
    priceChanges: await of(shown.priceChanges),
    webhooks: await of(shown.webhooks),
  }
}
export type Ids = Awaited<ReturnType<typeof idsIn>>

const statuses = [
  'open',
  'completed',
  'pending',
  'confirmed',
  'active',
  'past_due',
  'canceled',
  'resolved',
  'succeeded',
]

/** Every answer that a merchant can get, by its question. */
export const answersOf = async (from: Readable, scope: Scope, ids: Ids): Promise<ReadonlyMap<string, unknown>> => {
  const answers = new Map<string, unknown>()
  const note = async (question: string, answer: () => Promise<unknown>) => {
    answers.set(question, await answer())
  }
  for (const id of ids.products) await note(id, from.products.retrieve(scope, id))
  for (const id of ids.checkouts) await note(id, from.checkouts.retrieve(scope, id))
  for (const id of ids.payments) await note(id, from.payments.retrieve(scope, id))
  for (const id of ids.refunds) await note(id, from.refunds.retrieve(scope, id))
  for (const id of ids.exceptions) await note(id, from.exceptions.retrieve(scope, id))
  for (const id of ids.payouts) await note(id, from.payouts.retrieve(scope, id))
  for (const id of ids.webhooks) await note(id, from.webhooks.retrieve(scope, id))
  for (const id of ids.subscriptions) {
    await note(id, from.subscriptions.retrieve(scope, id))
    await note(`payments of ${id}`, from.payments.list({ ...scope, lookupKey: id, limit: 100 }))
  }
  for (const id of ids.priceChanges) {
    await note(id, from.priceChanges.retrieve(scope, id))
    await note(`subscriptions of ${id}`, from.priceChanges.subscriptions({ ...scope, listedUnder: id, limit: 100 }))
  }
  for (const id of ids.customers) {
    const listed = { ...scope, listedUnder: id, limit: 3 }
    await note(id, from.customers.retrieve(scope, id))
    await note(`subscriptions of ${id}`, from.subscriptions.list(listed))
    await note(`checkouts of ${id}`, from.checkouts.list(listed))
    await note(`payments of ${id}`, from.payments.list(listed))
    for (const productId of ids.products) {
      const of = { customerId: id, productId }
      await note(`access of ${id} to ${productId}`, from.access(scope, id, productId))
      await note(`credits of ${id} for ${productId}`, from.credits.retrieve(scope, of))
      await note(`entries of ${id} for ${productId}`, from.credits.transactions({ ...scope, limit: 2 }, of))
    }
  }
  const lists: Readonly<Record<string, (page: PageRequest) => () => Promise<unknown>>> = {
    products: from.products.list,
    customers: from.customers.list,
    checkouts: from.checkouts.list,
    payments: from.payments.list,
    refunds: (page) => from.refunds.list(page, null),
    exceptions: (page) => from.exceptions.list(page, null),
    payouts: (page) => from.payouts.list(page, null),
    destinations: from.payouts.destinations.list,
    approvals: from.approvals.list,
    priceChanges: from.priceChanges.list,
    fundings: from.fundings.list,
    webhooks: from.webhooks.list,
  }
  for (const [name, list] of Object.entries(lists)) {
    for (const limit of [2, 100]) await note(`${limit} ${name}`, list({ ...scope, limit }))
    for (const status of statuses) await note(`${name} that are ${status}`, list({ ...scope, status, limit: 3 }))
  }
  const middle = ids.payments.toSorted()[Math.floor(ids.payments.length / 2)] ?? 'pay_'
  await note(`payments after ${middle}`, from.payments.list({ ...scope, startingAfter: middle, limit: 2 }))
  await note(`payments before ${middle}`, from.payments.list({ ...scope, endingBefore: middle, limit: 2 }))
  await note('phone', from.customers.find({ ...scope, limit: 2 }, { email: null, phone: '+49301' }))
  await note('email', from.customers.find({ ...scope, limit: 2 }, { email: '1@life.example', phone: null }))
  await note('profile', from.merchantProfiles.show(scope))
  await note('limits', from.limits.retrieve(scope))
  await note('schedules', from.payouts.schedules.list(scope))
  return answers
}

/** Erased persons' data, how far ledgers were ingested, and the price of an open session at that time are in no log. */
const unknowable = (erased: ReadonlySet<string>, record: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const isErased = (id: unknown) => CustomerId.is(id) && erased.has(id)
  switch (record.object) {
    case 'checkout':
      return record.status === 'open' ? ['amount_due'] : []
    case 'customer':
      return isErased(record.id) ? ['email', 'name', 'phone', 'image', 'metadata'] : []
    case 'payment':
      return ['synced_at', ...(isErased(record.customer_id) ? ['billing_details'] : [])]
    default:
      return []
  }
}

/** An answer without what nobody can know later. */
export const knowable = (erased: ReadonlySet<string>, answer: unknown): unknown => {
  if (Array.isArray(answer)) return answer.map((each) => knowable(erased, each))
  if (!t.UnknownRecord.is(answer)) return answer
  const left = new Set(unknowable(erased, answer))
  const fields = Object.entries(answer).filter(([name]) => !left.has(name))
  return Object.fromEntries(fields.map(([name, value]) => [name, knowable(erased, value)]))
}
