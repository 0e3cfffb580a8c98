import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type { InviteMember, TeamCommand } from './commands.ts'
import type { TeamEvent } from './events.ts'
import type { TeamRejection } from './rejections.ts'
import { type Member, memberIn, recentFailures, type TeamState } from './state.ts'

type Decision = E.Either<TeamRejection, ReadonlyArray<TeamEvent>>

export const mostMembers = 100
/** How many failed sign-ins of a member are noted in an hour. */
export const mostFailures = 3

const noSuchMember: Decision = E.left({ _tag: 'MemberNotFound' })

const invite = ({ type: _, ...data }: InviteMember, state: TeamState): Decision => {
  const known = memberIn(state, data.memberId)
  if (known !== null) return known.role === data.role && known.person === data.person ? nothing : noSuchMember
  if (state.removed.includes(data.memberId)) return noSuchMember
  if (state.members.length >= mostMembers) return E.left({ _tag: 'TeamFull', most: mostMembers })
  return E.right([{ type: 'MemberInvited', data }])
}

/** An owner who has not joined yet may never come. */
const isLastOwner = ({ members }: TeamState, { memberId, role, status }: Member): boolean =>
  role === 'owner' &&
  status === 'active' &&
  !members.some((each) => each.memberId !== memberId && each.role === 'owner' && each.status === 'active')

/** Records a note about a member who has joined, unless it is the newest one already. */
const note = (event: TeamEvent, { status, last }: Member): Decision => {
  if (status !== 'active') return noSuchMember
  return isSame(event, last) ? nothing : E.right([event])
}

const ofMember = (command: Exclude<TeamCommand, InviteMember>, member: Member, state: TeamState): Decision => {
  const { memberId, at } = command
  switch (command.type) {
    case 'JoinTeam':
      return member.status === 'active' ? nothing : E.right([{ type: 'MemberJoined', data: { memberId, at } }])
    case 'ChangeRole': {
      const { role } = command
      if (role === member.role) return nothing
      if (isLastOwner(state, member)) return E.left({ _tag: 'LastOwner' })
      return E.right([{ type: 'MemberRoleChanged', data: { memberId, at, role } }])
    }
    case 'RemoveMember':
      if (isLastOwner(state, member)) return E.left({ _tag: 'LastOwner' })
      return E.right([{ type: 'MemberRemoved', data: { memberId, at } }])
    case 'NoteSignIn':
      return note({ type: 'MemberSignedIn', data: { memberId, at, method: command.method } }, member)
    case 'NoteFailedSignIn': {
      if (member.status !== 'active') return noSuchMember
      const recent = recentFailures(member, at)
      return recent.length >= mostFailures || recent.includes(at)
        ? nothing
        : E.right([{ type: 'MemberSignInFailed', data: { memberId, at } }])
    }
    case 'NoteSignOut':
      return note({ type: 'MemberSignedOut', data: { memberId, at } }, member)
    case 'NoteSecurityChange':
      return note({ type: 'MemberSecurityChanged', data: { memberId, at, change: command.change } }, member)
  }
}

export const decide =
  (command: TeamCommand) =>
  (state: TeamState): Decision => {
    if (command.type === 'InviteMember') return invite(command, state)
    const member = memberIn(state, command.memberId)
    if (member !== null) return ofMember(command, member, state)
    return command.type === 'RemoveMember' && state.removed.includes(command.memberId) ? nothing : noSuchMember
  }
