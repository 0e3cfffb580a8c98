import type { LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { discontinuity } from '../../continuity.ts'
import {
  type LedgerBatch,
  type LedgerGateway,
  type LedgerUnreadable,
  ledgerUnreachable,
  type OpaqueLedger,
  type ReadFailure,
  type UndecodedPart,
  type UnreadableLedger,
} from '../../gateway.ts'
import type { Halted } from '../../ingestion.ts'
import type { Member, Roster } from './roster.ts'

/** How many ledgers a second node may be late: so long the newest ledgers wait for it. */
const twinLate = 3

/**
 * A node's response to reading a range: ledgers that continue the known history, ledgers that do not, none yet, or a
 * failure.
 */
type RangeResponse = { readonly member: Member } & (
  | { readonly _tag: 'Continues'; readonly batch: LedgerBatch; readonly undecoded: UndecodedPart | null }
  | { readonly _tag: 'NoneYet'; readonly batch: LedgerBatch }
  | { readonly _tag: 'Contradicts'; readonly batch: LedgerBatch; readonly because: Halted }
  | { readonly _tag: 'Failed'; readonly failure: ReadFailure }
)

const only = <Tag extends RangeResponse['_tag']>(responses: ReadonlyArray<RangeResponse>, tag: Tag) =>
  responses.filter((each): each is Extract<RangeResponse, { _tag: Tag }> => each._tag === tag)

const newestFirst = (one: { batch: LedgerBatch }, other: { batch: LedgerBatch }): number =>
  other.batch.latest.sequence - one.batch.latest.sequence

/** The failure that says most: an unreadable ledger, then a pruned range, then silence. */
const worst = (failures: ReadonlyArray<ReadFailure>): ReadFailure | undefined => {
  const pruned = failures.filter((each) => each._tag === 'RangePruned').sort((one, other) => one.oldest - other.oldest)
  return unreadable(failures) ?? pruned[0] ?? failures[0]
}

/** Of several nodes whose ledger cannot be decoded, all have to hold the same one, and none may show anything of ours in it. */
const unreadable = (failures: ReadonlyArray<ReadFailure>): UnreadableLedger | undefined => {
  const all = failures.filter((each) => each._tag === 'LedgerUnreadable')
  const [first] = all
  const opaque = first?.opaque
  if (first === undefined || opaque === undefined) return first
  const { opaque: _, ...plain } = first
  if (all.some((each) => each.opaque?.hash !== opaque.hash)) return plain
  const names: OpaqueLedger['names'] = (isOurs) =>
    all.reduce<string | null>((found, each) => found ?? each.opaque?.names(isOurs) ?? null, null)
  return { ...plain, opaque: { ...opaque, names } }
}

/**
 * Reads ledgers from two nodes at once, side by side, so that ingestion can compare them; from one where two do not
 * respond. A node whose ledgers are unreadable, have gaps or do not continue the known hash is set aside as soon as
 * another node's ledgers do; where none does, it returns that node's ledgers, for ingestion to halt on. A node that has
 * pruned the range leaves it to the others.
 */
export const readFromSeveral =
  ({ ask, believed, doubted, isResting, shows, setAside, believe }: Roster): LedgerGateway['readLedgers'] =>
  (from, limit, after) =>
  async () => {
    const read = async (member: Member): Promise<RangeResponse> => {
      const response = await ask(member, (node) => node.readLedgers(from, limit, after))
      if (E.isLeft(response)) return { member, _tag: 'Failed', failure: response.left }
      const batch = { ...response.right, node: member.node.name }
      shows(member, batch.latest.sequence, batch.latest.closedAt)
      const [first] = batch.ledgers
      if (first === undefined) return { member, _tag: 'NoneYet', batch }
      const because = discontinuity({ ...first, hash: after }, from, first)
      if (because !== null) return { member, _tag: 'Contradicts', batch, because }
      return { member, _tag: 'Continues', batch, undecoded: first.undecoded ?? null }
    }

    const members = [...believed(), ...doubted()]
    const two = believed()
      .filter((member) => !isResting(member))
      .slice(0, 2)
    const responses: Array<RangeResponse> = await Promise.all(two.map(read))
    for (const member of members.filter((each) => !two.includes(each))) {
      if (only(responses, 'Continues').length > 0 || isUpToDate(responses, from)) break
      responses.push(await read(member))
    }

    const continuing = only(responses, 'Continues')
    const whole = continuing.filter(({ undecoded }) => undecoded === null)
    const [first, second] = whole.length > 0 ? whole : continuing
    const none = only(responses, 'NoneYet').sort(newestFirst)[0]?.batch
    if (first === undefined) {
      const failure = worst(only(responses, 'Failed').map((each) => each.failure))
      const contradicting = only(responses, 'Contradicts')[0]?.batch
      if (contradicting !== undefined) return E.right(contradicting)
      if (none !== undefined && failure?._tag !== 'RangePruned') return E.right(none)
      return E.left(failure ?? ledgerUnreachable('no node is believed'))
    }
    for (const each of only(responses, 'Contradicts')) setAside(each.member, each.because)
    for (const { member, failure } of only(responses, 'Failed'))
      if (failure._tag === 'LedgerUnreadable') setAside(member, readable(failure))
    if (after !== null) for (const { member } of continuing) believe(member)
    if (whole.length > 0)
      for (const { member, undecoded } of continuing)
        if (undecoded !== null) setAside(member, { _tag: 'LedgerUnreadable', sequence: from, cause: undecoded.cause })
    if (second !== undefined) return E.right({ ...first.batch, twin: second.batch })
    const isLate = none !== undefined && first.batch.latest.sequence - none.latest.sequence <= twinLate
    return E.right(isLate ? none : { ...first.batch, twin: null })
  }

/** What an alarm shows of a ledger that cannot be decoded: not its bytes. */
const readable = ({ opaque: _, ...failure }: UnreadableLedger): LedgerUnreadable => failure

/** Whether a node without the ledger is right before it, as all are most of the time. */
const isUpToDate = (responses: ReadonlyArray<RangeResponse>, from: LedgerSequence): boolean =>
  only(responses, 'NoneYet').some(({ batch }) => batch.latest.sequence === from - 1)
