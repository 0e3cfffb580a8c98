import { randomUUID } from 'node:crypto'
import { CommandHandler, type EventStore as PeerStore } from '@event-driven-io/emmett'
import { type CommandContext, execute } from '@quittance/billing/testing/internals'
import {
  Checkout,
  type CheckoutCommand,
  type CheckoutEvent,
  type CheckoutState,
  type RecordedEvent,
  unixMs,
} from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { commandsOfSale } from '../sales.ts'
import { sampleContext } from '../sample-events.ts'
import type { Sides } from './comparison.ts'
import { byCallers, perSecond } from './run.ts'

const { decider, events } = Checkout
const commandsPerCheckout = 5

type Run = (id: string, command: CheckoutCommand) => Promise<unknown>

/** By our kernel: reads and decodes the stream, decides, and appends sealed events at the head that it read. */
const byKernel =
  (store: EventStore): Run =>
  async (id, command) => {
    const { occurredAt, ...context } = sampleContext(0)
    const own: CommandContext = { ...context, environment: 'testnet', commandId: randomUUID(), at: unixMs(occurredAt) }
    const executed = await execute(store)(Checkout, id, own, decider.decide(command))
    if (executed._tag === 'Left') throw new Error(JSON.stringify(executed.left))
  }

/** An event as the peer stores it. */
export type PeerEvent = {
  readonly type: string
  readonly data: RecordedEvent['data']
  readonly metadata: Record<string, unknown>
}

/** As our kernel writes it, without hashes. */
export const peerEvent = (event: CheckoutEvent): PeerEvent => {
  const { data, ...form } = events.encodeEvent(event)
  return { type: form.type, data: { ...data }, metadata: { ...sampleContext(0), schemaVersion: form.schemaVersion } }
}

/** The state after an event of the peer's, decoded as ours are. */
export const evolvePeer = (state: CheckoutState, { type, data, metadata }: PeerEvent): CheckoutState => {
  const decoded = events.decodeEvent({ type, data, schemaVersion: Number(metadata.schemaVersion) })
  if (decoded._tag === 'Left') throw new Error(decoded.left.problem)
  return decider.evolve(state, decoded.right)
}

/** By the peer's command handler, with the same decisions. */
const byPeer = (store: PeerStore): Run => {
  const handle = CommandHandler<CheckoutState, PeerEvent>({ evolve: evolvePeer, initialState: () => decider.initial })
  return (id, command) =>
    handle(store, `checkout-${id}`, (state) => {
      const decided = decider.decide(command)(state)
      if (decided._tag === 'Left') throw new Error(JSON.stringify(decided.left))
      return decided.right.map(peerEvent)
    })
}

/**
 * Commands per second on each store. A caller takes one checkout after the other from its creation to its completion: five
 * commands, of which the last reads the events of the others.
 */
export const saleCommands = (
  ours: EventStore,
  peer: PeerStore,
  callers: number,
  checkouts: number,
): Pick<Sides, 'ours' | 'peer'> => {
  let begun = 0
  const round = (run: Run) => {
    const sales = Array.from({ length: checkouts }, () => commandsOfSale(begun++))
    const pieces = sales.map(({ checkoutId, checkout }) => async () => {
      for (const command of checkout) await run(checkoutId, command)
    })
    return perSecond(checkouts * commandsPerCheckout, () => byCallers(callers, pieces))
  }
  return { ours: () => round(byKernel(ours)), peer: () => round(byPeer(peer)) }
}
