import type { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { discontinuity } from '../../continuity.ts'
import type { LedgerBatch, LedgerGateway, LedgerUnreachable, ReadFailure } from '../../gateway.ts'
import type { Halted } from '../../ingestion.ts'
import type { Member, Roster } from './roster.ts'

/** How many ledgers a second node may be late without being left out: so long the newest ledgers wait for it. */
const twinLate = 3

/** What a node told of a range: ledgers that continue what is known, ledgers that do not, none yet, or a failure. */
type Told = { readonly member: Member } & (
  | { readonly _tag: 'Continues'; readonly batch: LedgerBatch }
  | { readonly _tag: 'NoneYet'; readonly batch: LedgerBatch }
  | { readonly _tag: 'Contradicts'; readonly batch: LedgerBatch; readonly because: Halted }
  | { readonly _tag: 'Failed'; readonly failure: ReadFailure }
)

const only = <Tag extends Told['_tag']>(told: ReadonlyArray<Told>, tag: Tag) =>
  told.filter((each): each is Extract<Told, { _tag: Tag }> => each._tag === tag)

const newestFirst = (one: { batch: LedgerBatch }, other: { batch: LedgerBatch }): number =>
  other.batch.latest.sequence - one.batch.latest.sequence

/** Of failures, the one that says most: what cannot be read, what nobody holds any more, or only that nobody answered. */
const worst = (failures: ReadonlyArray<ReadFailure>): ReadFailure | undefined => {
  const pruned = failures.filter((each) => each._tag === 'RangePruned').sort((one, other) => one.oldest - other.oldest)
  return failures.find(({ _tag }) => _tag === 'LedgerUnreadable') ?? pruned[0] ?? failures[0]
}

/**
 * Reads ledgers from two nodes at once and gives them side by side, so that who handles them can compare; where two do
 * not answer, from one. A node whose ledgers cannot be read, leave some out or do not continue the hash that is known is
 * set aside as soon as another one's do; where none does, its answer is given, for the ingestion to halt on.
 * Each node is asked for what it holds: one that has pruned the range leaves it to the others.
 */
export const readFromSeveral =
  ({ ask, believed, doubted, isResting, told: note, setAside, believe }: Roster): LedgerGateway['readLedgers'] =>
  (from, limit, after) =>
  async () => {
    const read = async (member: Member): Promise<Told> => {
      const answer = await ask(member, (node) => node.readLedgers(from, limit, after))
      if (E.isLeft(answer)) return { member, _tag: 'Failed', failure: answer.left }
      const batch = { ...answer.right, node: member.node.name }
      note(member, batch.latest.sequence)
      const [first] = batch.ledgers
      if (first === undefined) return { member, _tag: 'NoneYet', batch }
      const because = discontinuity({ ...first, hash: after }, from, first)
      return because === null ? { member, _tag: 'Continues', batch } : { member, _tag: 'Contradicts', batch, because }
    }

    const members = [...believed(), ...doubted()]
    const two = believed()
      .filter((member) => !isResting(member))
      .slice(0, 2)
    const told: Array<Told> = await Promise.all(two.map(read))
    for (const member of members.filter((each) => !two.includes(each))) {
      if (only(told, 'Continues').length > 0 || isUpToDate(told, from)) break
      told.push(await read(member))
    }

    const [first, second] = only(told, 'Continues')
    const none = only(told, 'NoneYet').sort(newestFirst)[0]?.batch
    if (first === undefined) {
      const failure = worst(only(told, 'Failed').map((each) => each.failure))
      const contradicting = only(told, 'Contradicts')[0]?.batch
      if (contradicting !== undefined) return E.right(contradicting)
      if (none !== undefined && failure?._tag !== 'RangePruned') return E.right(none)
      return E.left(failure ?? nobody)
    }
    for (const each of only(told, 'Contradicts')) setAside(each.member, each.because)
    for (const { member, failure } of only(told, 'Failed'))
      if (failure._tag === 'LedgerUnreadable') setAside(member, failure)
    if (after !== null) for (const { member } of only(told, 'Continues')) believe(member)
    if (second !== undefined) return E.right({ ...first.batch, twin: second.batch })
    const isLate = none !== undefined && first.batch.latest.sequence - none.latest.sequence <= twinLate
    return E.right(isLate ? none : { ...first.batch, twin: null })
  }

/** Whether a node that has no such ledger yet stands right before it, as all do most of the time. */
const isUpToDate = (told: ReadonlyArray<Told>, from: LedgerSequence): boolean =>
  only(told, 'NoneYet').some(({ batch }) => batch.latest.sequence === from - 1)

const nobody: LedgerUnreachable = { _tag: 'LedgerUnreachable', cause: 'no node is believed' }
