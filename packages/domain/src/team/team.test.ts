import { MemberId } from '../shared/ids.ts'
import { asText } from '../shared/text.ts'
import { hourMs, unixMs } from '../shared/units.ts'
import { exampleId, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import type { TeamCommand } from './commands.ts'
import { mostFailures, mostMembers } from './decide.ts'
import type { MemberRole, TeamEvent } from './events.ts'
import { Team } from './index.ts'

const { given } = scenario(Team.decider)
const [ada, bob] = [exampleId(MemberId, 1), exampleId(MemberId, 2)]
const at = start
const operator = asText('operator')
const invite = (memberId: MemberId, role: MemberRole): TeamCommand => ({
  type: 'InviteMember',
  memberId,
  role,
  person: operator,
  at,
})
const invited = (memberId: MemberId, role: MemberRole): TeamEvent => ({
  type: 'MemberInvited',
  data: { memberId, role, person: operator, at },
})
const joined = (memberId: MemberId): TeamEvent => ({ type: 'MemberJoined', data: { memberId, at } })
const removed = (memberId: MemberId): TeamEvent => ({ type: 'MemberRemoved', data: { memberId, at } })
const withAda = [invited(ada, 'owner'), joined(ada)]
const withBoth = [...withAda, invited(bob, 'owner'), joined(bob)]
const remove = (memberId: MemberId): TeamCommand => ({ type: 'RemoveMember', memberId, at })
const change = (memberId: MemberId, role: MemberRole): TeamCommand => ({ type: 'ChangeRole', memberId, role, at })

describe('inviting and joining', () => {
  it('records who is invited, as what, and for whom they stand', () =>
    given([])
      .when(invite(ada, 'owner'))
      .then([invited(ada, 'owner')]))
  it('invites the same person once', () => given(withAda).when(invite(ada, 'owner')).then([]))
  it('does not invite a removed member again by the same id', () =>
    given([...withBoth, removed(bob)])
      .when(invite(bob, 'owner'))
      .rejects({ _tag: 'MemberNotFound' }))
  it('stops at the largest team', () =>
    given(Array.from({ length: mostMembers }, (_, n) => invited(exampleId(MemberId, n), 'viewer')))
      .when(invite(exampleId(MemberId, mostMembers), 'viewer'))
      .rejects({ _tag: 'TeamFull', most: mostMembers }))
  it('lets those join who are invited, once', () => {
    given([invited(ada, 'owner')])
      .when({ type: 'JoinTeam', memberId: ada, at })
      .then([joined(ada)])
    given(withAda).when({ type: 'JoinTeam', memberId: ada, at }).then([])
    given(withAda).when({ type: 'JoinTeam', memberId: bob, at }).rejects({ _tag: 'MemberNotFound' })
  })
})

describe('an owner', () => {
  it('cannot be removed or lowered as the last one who has joined', () => {
    const alone = [...withAda, invited(bob, 'owner')]
    given(alone).when(remove(ada)).rejects({ _tag: 'LastOwner' })
    given(alone).when(change(ada, 'admin')).rejects({ _tag: 'LastOwner' })
  })
  it('can be removed and lowered beside another one', () => {
    given(withBoth)
      .when(remove(ada))
      .then([removed(ada)])
    given(withBoth)
      .when(change(ada, 'viewer'))
      .then([{ type: 'MemberRoleChanged', data: { memberId: ada, role: 'viewer', at } }])
  })
  it('of two who lower each other remains', () =>
    given([...withBoth, { type: 'MemberRoleChanged', data: { memberId: ada, role: 'viewer', at } }])
      .when(change(bob, 'viewer'))
      .rejects({ _tag: 'LastOwner' }))
  it('keeps a role that is set again', () => given(withAda).when(change(ada, 'owner')).then([]))
})

describe('notes about a member', () => {
  const failAt = (ms: number): TeamCommand => ({ type: 'NoteFailedSignIn', memberId: ada, at: unixMs(at + ms) })
  const failedAt = (ms: number): TeamEvent => ({
    type: 'MemberSignInFailed',
    data: { memberId: ada, at: unixMs(at + ms) },
  })
  const full = [...withAda, ...Array.from({ length: mostFailures }, (_, n) => failedAt(n))]

  it('are made of a few failures in an hour', () => {
    given(withAda)
      .when(failAt(0))
      .then([failedAt(0)])
    given(full).when(failAt(10)).then([])
    given(full)
      .when(failAt(hourMs))
      .then([failedAt(hourMs)])
  })
  it('are made of those who have joined', () => {
    given([invited(ada, 'owner')])
      .when({ type: 'NoteSignIn', memberId: ada, method: 'password', at })
      .rejects({ _tag: 'MemberNotFound' })
    given(withAda)
      .when({ type: 'NoteSignIn', memberId: ada, method: 'password', at })
      .then([{ type: 'MemberSignedIn', data: { memberId: ada, method: 'password', at } }])
  })
  it('are made of nobody who was removed', () =>
    given([...withBoth, removed(bob)])
      .when({ type: 'NoteSignOut', memberId: bob, at })
      .rejects({ _tag: 'MemberNotFound' }))
})
