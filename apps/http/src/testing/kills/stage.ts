import { setTimeout as pause } from 'node:timers/promises'
import { clientOf } from '../client.ts'
import { eventStoreOf } from '../event-store.ts'
import { readinessAt } from '../readiness.ts'
import { factsIn, type Service } from '../service.ts'
import { type Ask, askAt } from './ask.ts'
import { eventsOf, historiesOf } from './books.ts'
import type { Death } from './deaths.ts'
import { openLastingNetwork } from './lasting-network.ts'
import { startVictim, type Victim } from './victim.ts'

const betweenLooksMs = 250
const walkedWithinMs = 300_000

const names = ['one', 'other'] as const
/** At most two services share a store. */
export type ProcessName = (typeof names)[number]

/** A data directory, its network, and its services, which can be killed and started. */
export const openStage = async (dataDir: string) => {
  const living = new Map<string, Victim>()
  const settings = await eventStoreOf(dataDir)
  const network = await openLastingNetwork(dataDir, (sender, side) => {
    const victim = living.get(sender)
    const isHere = victim?.death?._tag === 'send' && victim.death.side === side
    if (isHere) victim.kill()
    return isHere
  })
  const start = (name: ProcessName, death: Death | null): Victim => {
    network.announce(name)
    const victim = startVictim(dataDir, death, settings)
    living.set(name, victim)
    return victim
  }
  const listening = async (name: ProcessName): Promise<string> => {
    const url = await start(name, null).url
    if (url === null) throw new Error('a service did not start')
    return url
  }
  return {
    dataDir,
    network,
    start,
    /** Starts a service without a planned death, and answers its address. */
    listening,
    living: (name: ProcessName): Victim | null => living.get(name) ?? null,
    kill: async (name: ProcessName): Promise<void> => {
      const victim = living.get(name)
      victim?.kill()
      await victim?.died
      living.delete(name)
    },
    /** Clients for the service at an address. */
    at: (url: string): Pick<Service, 'url' | 'api' | 'anyone'> & { readonly apiKey: string } => {
      const { api_key: apiKey } = factsIn(dataDir)
      return { url, api: clientOf(url, apiKey), anyone: clientOf(url, null), apiKey }
    },
    /** A client for a service that may die. */
    askAt: (url: string): Ask => askAt(url, factsIn(dataDir).api_key),
    /** Waits until the service has ingested two more ledgers, or has died. */
    walksOn: async (url: string): Promise<void> => {
      const ledger = network.sandbox.clock().ledger + 2
      const deadline = AbortSignal.timeout(walkedWithinMs)
      while (!deadline.aborted) {
        // It may be dead by now.
        const ready = await readinessAt(url).catch(() => null)
        if (ready === null || ready.body.ledgers.testnet.walked >= ledger) return
        await pause(betweenLooksMs)
      }
      throw new Error('a service lives, and walks no ledger')
    },
    /** The event types of each stream of a category. */
    histories: (category: string) => historiesOf(dataDir, category),
    /** The events of each stream of a category. */
    events: (category: string) => eventsOf(dataDir, category),
    close: async (): Promise<void> => {
      for (const victim of living.values()) {
        victim.kill()
        await victim.died
      }
      await network.close()
    },
  }
}

export type Stage = Awaited<ReturnType<typeof openStage>>
