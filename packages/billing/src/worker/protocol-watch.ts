import { dayMs, type Environment, hourMs, type LedgerSequence, minuteMs, TransactionHash } from '@quittance/domain'
import { type Halted, haltedAt, type NetworkProtocol, READABLE_PROTOCOL } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Raise } from '../features/outgoing/trouble.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { AnnouncedUpgrade, Network, Services } from '../services/services.ts'

/**
 * The protocols of a network beside the newest one that this release reads. `announced` is what the operator has said of the
 * next upgrade. `unread`: the ledger at which ingestion has halted, and when (Unix milliseconds) nodes drop it. `passedOver`: how
 * many ledgers were passed over, or transactions of them, because they could not be decoded.
 */
export type ProtocolStanding = NetworkProtocol & {
  readonly readable: number
  readonly passedOver: number
  readonly announced: AnnouncedUpgrade | null
  readonly unread: { readonly ledger: LedgerSequence; readonly cause: string; readonly keptUntil: number | null } | null
}

export interface ProtocolWatch {
  /** Asks the nodes at start, once an hour and around halts, and raises what a person has to know. Never fails. */
  readonly look: (halted: Halted | null) => Promise<void>
  /** Has the nodes asked again with the next look, as after a ledger of a newer protocol. */
  readonly askAgain: () => void
  /** Null until a node has answered. */
  readonly standing: () => ProtocolStanding | null
}

/** How soon a node is asked again that did not answer. */
const retryMs = 5 * minuteMs

/** The hash of no transaction: a node answers with the range of ledgers that it keeps. */
const noTransaction = decodeOrThrow(TransactionHash, '0'.repeat(64))

/** Ledgers that nodes hold, but that ingestion cannot read: with time they are pruned. */
const isHeld = ({ _tag }: Halted): boolean => _tag !== 'RangePruned' && _tag !== 'LedgerWentBack'

export const openProtocolWatch = (
  { clock }: Pick<Services, 'clock'>,
  { gateway, announcedUpgrade: announced = null }: Network,
  environment: Environment,
  raise: Raise,
  passedOver: () => number,
): ProtocolWatch => {
  let dueAt = 0
  let known: NetworkProtocol | null = null
  let unread: ProtocolStanding['unread'] = null

  /** When ledgers of today's pace have pushed this one out: of a node that does not say how many it keeps, if it keeps as many as now. */
  const keptUntil = async (ledger: LedgerSequence, now: number): Promise<number | null> => {
    const found = await gateway.lookUp(noTransaction)()
    if (E.isLeft(found) || found.right._tag !== 'NotFound') return null
    const { oldest, oldestClosedAt, latest, latestClosedAt } = found.right.range
    const paceMs = (latestClosedAt - oldestClosedAt) / Math.max(1, latest - oldest)
    const kept = Math.max(known?.keptLedgers ?? 0, latest - oldest + 1)
    return now + Math.max(0, ledger + kept - latest) * paceMs
  }

  const raiseTroubles = (now: number): void => {
    if (known !== null && known.current > READABLE_PROTOCOL)
      raise({ _tag: 'ProtocolUnknown', protocol: known.current, readable: READABLE_PROTOCOL })
    else {
      const coming = Math.max(announced?.protocol ?? 0, known?.prepared ?? 0)
      const at = announced !== null && announced.protocol === coming ? announced.at : null
      if (coming > READABLE_PROTOCOL)
        raise({ _tag: 'ProtocolComing', protocol: coming, readable: READABLE_PROTOCOL, daysLeft: daysUntil(at, now) })
    }
    if (unread !== null)
      raise({ _tag: 'LedgersUnread', ledger: unread.ledger, daysLeft: daysUntil(unread.keptUntil, now) })
  }

  return {
    look: async (halted) => {
      const now = clock.now(environment)
      const isHalted = halted !== null && isHeld(halted)
      const ledger = isHalted ? haltedAt(halted) : null
      // A halt, and its end, may come from an upgrade.
      const isDue = now >= dueAt || ledger !== (unread?.ledger ?? null)
      if (isDue) {
        const found = await gateway.protocol()()
        if (E.isRight(found)) known = found.right
        dueAt = now + (E.isRight(found) ? hourMs : retryMs)
      }
      if (ledger === null) unread = null
      else if (isDue) {
        const cause = halted !== null && 'cause' in halted ? halted.cause : (halted?._tag ?? '')
        unread = { ledger, cause, keptUntil: await keptUntil(ledger, now) }
      }
      raiseTroubles(now)
    },
    askAgain: () => {
      dueAt = 0
    },
    standing: () =>
      known === null ? null : { ...known, readable: READABLE_PROTOCOL, passedOver: passedOver(), announced, unread },
  }
}

const daysUntil = (at: number | null, now: number): number | null =>
  at === null ? null : Math.max(0, Math.floor((at - now) / dayMs))
