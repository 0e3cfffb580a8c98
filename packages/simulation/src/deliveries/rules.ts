import { triedForMs } from '@quittance/billing/testing/internals'
import { isSelected, Webhook } from '@quittance/domain'
import { mismatches } from '../invariants/invariant.ts'
import { type PublicEvent, publicEventsOf } from './public-events.ts'
import type { Stage } from './stage.ts'

const bySequence = (published: ReadonlyArray<PublicEvent>): ReadonlyArray<string> => {
  const counted = new Map<string, number>()
  return published.flatMap(({ id, resource, sequence }) => {
    const expected = (counted.get(resource) ?? 0) + 1
    counted.set(resource, sequence)
    return mismatches(`the sequence number of ${id}`, sequence, expected)
  })
}

/**
 * Describes broken rules. With `isOver`, failures have ceased and everything had its time, so nothing may be pending;
 * otherwise each pending delivery must be due at some time, or wait for one that is.
 */
export const brokenOn = async (stage: Stage, isOver: boolean): Promise<ReadonlyArray<string>> => {
  const { faultFree, fixture, network, shops } = stage
  const { merchantId, log } = fixture
  const { toDo, readModels } = faultFree
  const published = await publicEventsOf(stage)
  const { rows } = await readModels.webhooks.page({ merchantId, environment: 'testnet', status: 'living', limit: 100 })
  const ofEndpoint = async ({ id, row }: (typeof rows)[number]): Promise<ReadonlyArray<string>> => {
    const made = log
      .prepare('SELECT min(position) AS position FROM events WHERE stream = ?')
      .get(`${Webhook.category}-${id}`)
    const position = BigInt(String(made?.position))
    const expected = published.filter(
      (each) =>
        each.position > position &&
        isSelected(row.details.events, each.type) &&
        !(each.type === 'webhook.disabled' && each.resource === id),
    )
    const byId = new Map(expected.map((each) => [each.id, each]))
    const all = { above: '', below: '~', isNewestFirst: true }
    const list = await toDo.sql.run(toDo.deliveries.page(id, all, Number.MAX_SAFE_INTEGER))
    const listed = new Map(list.map((each) => [each.eventId as string, each]))
    const arrivals = shops.arrivals.filter(({ url }) => url === row.details.url)
    const arrived = new Set(arrivals.map(({ eventId }) => eventId))
    const exhausted = new Set(
      list.filter(({ status }) => status === 'exhausted').map(({ eventId }) => eventId as string),
    )

    const unexpected = arrivals.flatMap(({ eventId, body }) => {
      const known = byId.get(eventId)
      if (known === undefined) return [`${eventId} came, but this endpoint does not select it`]
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
      if (isOver) return [`${eventId} is still pending`]
      const isHeld = begun.has(resource)
      begun.add(resource)
      if (isHeld) return delivery.dueAt === null ? [] : [`${eventId} does not wait for its turn`]
      return delivery.dueAt === null || (!row.isDisabled && delivery.dueAt <= network.now())
        ? [`${eventId} is pending without a future due time: ${delivery.dueAt}`]
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
    return [...unexpected, ...missing, ...disordered].map((violation) => `${row.details.url}: ${violation}`)
  }
  const wrong = [...bySequence(published)]
  for (const endpoint of rows) wrong.push(...(await ofEndpoint(endpoint)))
  return wrong
}
