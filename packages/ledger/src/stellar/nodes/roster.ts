import type { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type LedgerUnreachable, ledgerUnreachable } from '../../gateway.ts'
import type { LedgerNode } from './ledger-node.ts'
import type { NodeSetAside } from './node-alarm.ts'

const shortestRestMs = 1_000
const longestRestMs = 60_000

/** The record of a node. `newest` is the highest ledger that it has shown; `setAside` is why it is not believed. */
export type Member = {
  readonly node: LedgerNode
  failures: number
  restsUntil: number
  newest: number
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
  /** The highest ledger that any believed node has shown. */
  readonly highest: () => number
  readonly shows: (member: Member, newest: LedgerSequence) => void
  readonly setAside: (member: Member, because: NodeSetAside['because']) => void
  readonly believe: (member: Member) => void
}

/** `now` is in milliseconds of a clock that never goes back. */
export const roster = (
  nodes: ReadonlyArray<LedgerNode>,
  now: () => number,
  alarm: (setAside: NodeSetAside) => void,
): Roster => {
  const fresh = { failures: 0, restsUntil: 0, newest: 0, isKnownNetwork: false, setAside: null }
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
    highest: () => Math.max(0, ...members.map(({ newest, setAside: why }) => (why === null ? newest : 0))),
    shows: (member, newest) => {
      member.newest = Math.max(member.newest, newest)
    },
    setAside,
    believe,
  }
}
