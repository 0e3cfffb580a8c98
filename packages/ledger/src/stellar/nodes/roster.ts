import { type LedgerSequence, type UnixMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type LedgerUnreachable, ledgerUnreachable } from '../../gateway.ts'
import type { LedgerNode } from './ledger-node.ts'
import type { NodeSetAside } from './node-alarm.ts'

const shortestRestMs = 1_000
const longestRestMs = 60_000

/**
 * The record of a node. `newest` is the highest ledger that it has shown, `dated` the highest of which it has said when it
 * closed; `setAside` is why it is not believed.
 */
export type Member = {
  readonly node: LedgerNode
  failures: number
  restsUntil: number
  newest: number
  dated: { readonly sequence: number; readonly closedAt: number }
  isKnownNetwork: boolean
  setAside: NodeSetAside['because'] | null
}

/** The nodes of a network and how they fared. */
export interface Roster {
  /**
   * Sends a request to one of them and records how it went. A node that fails rests, twice as long each time, up to a
   * minute.
   */
  readonly ask: <L extends { readonly _tag: string }, A>(
    member: Member,
    request: (node: LedgerNode) => TaskEither<L, A>,
  ) => Promise<E.Either<L | LedgerUnreachable, A>>
  /**
   * The believed nodes in the configured order; after them nodes whose last response is missing, so that nobody waits
   * for a silent node while another one responds; last the resting ones.
   */
  readonly believed: () => ReadonlyArray<Member>
  /** The nodes that are set aside for their ledgers. */
  readonly doubted: () => ReadonlyArray<Member>
  readonly isResting: (member: Member) => boolean
  /**
   * The highest ledger that any believed node has shown. What a node showed before it went silent does not count once
   * another one shows that the network was reset since: a lower ledger that closed later than that, or than one of its own.
   */
  readonly highest: () => number
  /** A lower ledger that closed later is of a network that was reset: it counts instead. */
  readonly shows: (member: Member, newest: LedgerSequence, closedAt?: UnixMs) => void
  readonly setAside: (member: Member, because: NodeSetAside['because']) => void
  readonly believe: (member: Member) => void
}

/** `now` is in milliseconds of a clock that never goes back. */
export const roster = (
  nodes: ReadonlyArray<LedgerNode>,
  now: () => number,
  alarm: (setAside: NodeSetAside) => void,
): Roster => {
  const fresh = {
    failures: 0,
    restsUntil: 0,
    newest: 0,
    dated: { sequence: 0, closedAt: 0 },
    isKnownNetwork: false,
    setAside: null,
  }
  const members: ReadonlyArray<Member> = nodes.map((node) => ({ node, ...fresh }))
  const isResting = ({ restsUntil }: Member): boolean => restsUntil > now()

  const failed = (member: Member): void => {
    member.restsUntil = now() + Math.min(shortestRestMs * 2 ** member.failures, longestRestMs)
    member.failures += 1
    // Another node may be behind the address when it is back.
    member.isKnownNetwork = false
  }
  const setAside = (member: Member, because: NodeSetAside['because']): void => {
    if (member.setAside === null) alarm({ _tag: 'NodeSetAside', node: member.node.name, because })
    member.setAside = because
  }
  const believe = (member: Member): void => {
    member.setAside = null
  }

  const isOfFormer = ({ failures, dated }: Member, others: ReadonlyArray<Member>): boolean =>
    failures > 0 &&
    others.some(
      (other) =>
        other.dated.sequence > 0 && other.dated.sequence < dated.sequence && other.dated.closedAt > dated.closedAt,
    )

  /** Checks the node's network before anything else, and after each failure. */
  const knowNetwork = async (member: Member): Promise<E.Either<LedgerUnreachable, void>> => {
    if (member.isKnownNetwork) return E.right(undefined)
    const { node } = member
    const stated = await node.passphrase()()
    if (E.isLeft(stated)) {
      failed(member)
      return stated
    }
    const passphrase = stated.right
    if (passphrase !== node.networkPassphrase) {
      failed(member)
      setAside(member, { _tag: 'OtherNetwork', passphrase })
      return E.left(ledgerUnreachable(`${node.name} is of another network: ${passphrase}`))
    }
    member.isKnownNetwork = true
    if (member.setAside?._tag === 'OtherNetwork') believe(member)
    return E.right(undefined)
  }

  return {
    ask: async (member, request) => {
      const known = await knowNetwork(member)
      if (E.isLeft(known)) return known
      const response = await request(member.node)()
      const isSilent =
        E.isLeft(response) && (response.left._tag === 'LedgerUnreachable' || response.left._tag === 'OutcomeUnknown')
      if (isSilent) failed(member)
      else member.failures = 0
      return response
    },
    believed: () => {
      const believed = members.filter((member) => member.setAside === null || member.setAside._tag === 'OtherNetwork')
      const rank = (member: Member): number => (isResting(member) ? 2 : member.failures > 0 ? 1 : 0)
      return believed.toSorted((one, other) => rank(one) - rank(other))
    },
    doubted: () => members.filter(({ setAside: why }) => why !== null && why._tag !== 'OtherNetwork'),
    isResting,
    highest: () => {
      const believed = members.filter((member) => member.setAside === null)
      return Math.max(0, ...believed.filter((member) => !isOfFormer(member, believed)).map(({ newest }) => newest))
    },
    shows: (member, newest, closedAt = unixMs(0)) => {
      const { sequence } = member.dated
      const isAnew = newest < sequence && closedAt > member.dated.closedAt
      member.newest = isAnew ? newest : Math.max(member.newest, newest)
      // A silent node's ledgers of an unknown close time may be the former network's; it shows others once it is back.
      if (isAnew) for (const other of members) if (other.failures > 0) other.newest = other.dated.sequence
      if (closedAt > 0 && (isAnew || newest >= sequence)) member.dated = { sequence: newest, closedAt }
    },
    setAside,
    believe,
  }
}
