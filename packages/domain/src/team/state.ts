import { CorruptStream } from '../shared/decider.ts'
import type { MemberId } from '../shared/ids.ts'
import type { Text } from '../shared/text.ts'
import { hourMs, type UnixMs } from '../shared/units.ts'
import type { MemberRole, TeamEvent } from './events.ts'

/** A member now. `failedAt`: the noted failures of the last hour; `last`: the newest note, as an event. */
export type Member = {
  readonly memberId: MemberId
  readonly status: 'invited' | 'active'
  readonly role: MemberRole
  readonly person: Text
  readonly invitedAt: UnixMs
  readonly failedAt: ReadonlyArray<UnixMs>
  readonly last: TeamEvent | null
}

/** What the events of its stream say about a team. The id of a member who was removed is never used again. */
export type TeamState = { readonly members: ReadonlyArray<Member>; readonly removed: ReadonlyArray<MemberId> }

export const initial: TeamState = { members: [], removed: [] }

/** A member of the team; null where there is none, or where they were removed. */
export const memberIn = ({ members }: TeamState, memberId: string): Member | null =>
  members.find((each) => each.memberId === memberId) ?? null

/** The failures that still count at a moment. */
export const recentFailures = ({ failedAt }: Member, now: UnixMs): ReadonlyArray<UnixMs> =>
  failedAt.filter((at) => now - at < hourMs)

export const evolve = (state: TeamState, event: TeamEvent): TeamState => {
  const { memberId, at } = event.data
  const known = memberIn(state, memberId)
  if (event.type === 'MemberInvited') {
    if (known !== null || state.removed.includes(memberId)) throw new CorruptStream(event.type, 'known')
    const { role, person } = event.data
    const member: Member = { memberId, status: 'invited', role, person, invitedAt: at, failedAt: [], last: null }
    return { ...state, members: [...state.members, member] }
  }
  if (known === null) throw new CorruptStream(event.type, 'without this member')
  const patch = (change: Partial<Member>): TeamState => ({
    ...state,
    members: state.members.map((each) => (each.memberId === memberId ? { ...each, ...change } : each)),
  })
  switch (event.type) {
    case 'MemberJoined':
      return patch({ status: 'active' })
    case 'MemberRoleChanged':
      return patch({ role: event.data.role })
    case 'MemberRemoved':
      return {
        members: state.members.filter((each) => each.memberId !== memberId),
        removed: [...state.removed, memberId],
      }
    case 'MemberSignInFailed':
      return patch({ failedAt: [...recentFailures(known, at), at] })
    case 'MemberSignedIn':
    case 'MemberSignedOut':
    case 'MemberSecurityChanged':
      return patch({ last: event })
  }
}
