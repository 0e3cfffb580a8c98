import type { Services } from '@quittance/billing'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { Work } from './scheduler.ts'

type SigningRecord = Parameters<Services['vault']['signings']['add']>[0]
type NewEvents = Parameters<EventStore['append']>[2]

/** Sees what processes do at the moment when it happens, and for which work; null outside all work. */
export type Watcher = {
  readonly appended?: (stream: string, events: NewEvents, work: Work | null) => void | Promise<void>
  readonly sent?: (envelope: string, work: Work | null) => void | Promise<void>
  readonly signed?: (record: SigningRecord, work: Work | null) => void
  /** A session was looked up by its name on the ledger. */
  readonly lookedUp?: (name: string, work: Work | null) => void
  /** The log was put back to a copy. */
  readonly putBack?: () => void
}

/** A process's services, watched. An effect belongs to the work that asks for it, whenever it is performed. */
export const watched = (services: Services, watchers: ReadonlyArray<Watcher>, current: () => Work | null): Services => {
  const { store, networks, vault } = services
  const { testnet } = networks
  const append: EventStore['append'] = (stream, head, events, alongside) => {
    const [work, appending] = [current(), store.append(stream, head, events, alongside)]
    return async () => {
      const appended = await appending()
      if (E.isRight(appended)) for (const { appended: see } of watchers) await see?.(stream, events, work)
      return appended
    }
  }
  const gateway = testnet && {
    ...testnet.gateway,
    submit: (envelope: string) => {
      const [work, submitting] = [current(), testnet.gateway.submit(envelope)]
      return async () => {
        const submitted = await submitting()
        // Nothing leaves while the log has gone back.
        if (E.isRight(submitted) || submitted.left._tag !== 'Withheld')
          for (const { sent } of watchers) await sent?.(envelope, work)
        return submitted
      }
    },
  }
  const { signings } = vault
  const add: typeof signings.add = async (record) => {
    for (const { signed } of watchers) signed?.(record, current())
    await signings.add(record)
  }
  const { checkoutReferences } = services.readModels
  const withId: typeof checkoutReferences.withId = (name) => {
    for (const { lookedUp } of watchers) lookedUp?.(name, current())
    return checkoutReferences.withId(name)
  }
  return {
    ...services,
    readModels: { ...services.readModels, checkoutReferences: { ...checkoutReferences, withId } },
    store: { ...store, append },
    networks: { ...networks, testnet: testnet && gateway && { ...testnet, gateway } },
    vault: { ...vault, signings: { ...signings, add } },
  }
}
