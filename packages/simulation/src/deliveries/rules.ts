import { triedForMs } from '@quittance/billing/testing/internals'
import { isSelected, Webhook } from '@quittance/domain'
import { mismatches } from '../invariants/invariant.ts'
import { type PublicEvent, publicEventsOf } from './public-events.ts'
import type { Stage } from './stage.ts'

const bySequence = (told: ReadonlyArray<PublicEvent>): ReadonlyArray<string> => {
  const counted = new Map<string, number>()
  return told.flatMap(({ id, resource, sequence }) => {
    const expected = (counted.get(resource) ?? 0) + 1
    counted.set(resource, sequence)
    return mismatches(`the number of ${id}`, sequence, expected)
  })
}

/**
 * What breaks a rule, in words. `isOver`: everything had its time, and nobody failed any more, so that nothing is on its
 * way; else what is not there yet has to be due at some time, or to wait for one that is.
 */
export const brokenOn = async (stage: Stage, isOver: boolean): Promise<ReadonlyArray<string>> => {
  const { faultFree, fixture, network, shops } = stage
  const { merchantId, log } = fixture
  const { toDo, readModels } = faultFree
  const told = await publicEventsOf(stage)
  const { rows } = readModels.webhooks.page({ merchantId, environment: 'testnet', status: 'living', limit: 100 })
  const ofEndpoint = ({ id, row }: (typeof rows)[number]): ReadonlyArray<string> => {
    const made = log
      .prepare('SELECT min(position) AS position FROM events WHERE stream = ?')
      .get(`${Webhook.category}-${id}`)
    const position = BigInt(String(made?.position))
    const expected = told.filter(
      (each) =>
        each.position > position &&
        isSelected(row.details.events, each.type) &&
        !(each.type === 'webhook.disabled' && each.resource === id),
    )
    const byId = new Map(expected.map((each) => [each.id, each]))
    const list = toDo.deliveries.page(id, { above: '', below: '~', isNewestFirst: true }, Number.MAX_SAFE_INTEGER)
    const listed = new Map(list.map((each) => [each.eventId as string, each]))
    const arrivals = shops.arrivals.filter(({ url }) => url === row.details.url)
    const arrived = new Set(arrivals.map(({ eventId }) => eventId))
    const exhausted = new Set(
      list.filter(({ status }) => status === 'exhausted').map(({ eventId }) => eventId as string),
    )

    const invented = arrivals.flatMap(({ eventId, body }) => {
      const known = byId.get(eventId)
      if (known === undefined) return [`${eventId} came, which this endpoint is not told of`]
      return body === known.body ? [] : [`${eventId} came as ${body}, not as ${known.body}`]
    })
    const begun = new Set<string>()
    const missing = expected.flatMap(({ id: eventId, resource }) => {
      const delivery = listed.get(eventId)
      if (delivery === undefined) return isOver || !row.isDisabled ? [`${eventId} is not on the list`] : []
      if (delivery.status === 'delivered') return arrived.has(eventId) ? [] : [`${eventId} has not arrived`]
      if (delivery.status === 'exhausted') {
        const tried = Number(delivery.lastAttemptAt) - Number(delivery.firstAttemptAt)
        return tried >= triedForMs ? [] : [`${eventId} was given up after ${tried} ms`]
      }
      if (isOver) return [`${eventId} is still on its way`]
      const isHeld = begun.has(resource)
      begun.add(resource)
      if (isHeld) return delivery.dueAt === null ? [] : [`${eventId} does not wait for its turn`]
      return delivery.dueAt === null || (!row.isDisabled && delivery.dueAt <= network.now())
        ? [`${eventId} is on its way without a time to come: ${delivery.dueAt}`]
        : []
    })
    const reached = new Map<string, number>()
    const disordered = [...arrived].flatMap((eventId) => {
      const known = byId.get(eventId)
      if (known === undefined || exhausted.has(eventId)) return []
      const before = reached.get(known.resource) ?? 0
      reached.set(known.resource, known.sequence)
      return known.sequence > before ? [] : [`${known.resource}: ${known.sequence} came after ${before}`]
    })
    return [...invented, ...missing, ...disordered].map((complaint) => `${row.details.url}: ${complaint}`)
  }
  return [...bySequence(told), ...rows.flatMap(ofEndpoint)]
}
