import fc from 'fast-check'
import { MemberId } from '../shared/ids.ts'
import { asText } from '../shared/text.ts'
import { unixMs } from '../shared/units.ts'
import { MemberRole, SecurityChange, SignInMethod, type TeamCommand, type TeamEvent } from '../team/index.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'
import { exampleId, start } from './examples.ts'

// A few of each, so that commands meet.
const aMember = fc.constantFrom(exampleId(MemberId, 1), exampleId(MemberId, 2), exampleId(MemberId, 3))
const aTime = fc.constantFrom(start, unixMs(start + 1), unixMs(start + 2), unixMs(start + 3), unixMs(start + 3_600_000))
const role = fc.constantFrom(...Object.keys(MemberRole.keys).filter((name) => MemberRole.is(name)))
const method = fc.constantFrom(...Object.keys(SignInMethod.keys).filter((name) => SignInMethod.is(name)))
const change = fc.constantFrom(...Object.keys(SecurityChange.keys).filter((name) => SecurityChange.is(name)))
const person = fc.constantFrom(asText('operator'), asText('mem_1'))
const plain = { memberId: aMember, at: aTime }

const command = <const Type extends string, Fields>(type: Type, fields: fc.Arbitrary<Fields>) =>
  fields.map((each) => ({ type, ...each }))

export const anyTeamCommand: fc.Arbitrary<TeamCommand> = fc.oneof(
  command('InviteMember', some.record({ ...plain, role, person })),
  command('JoinTeam', some.record(plain)),
  command('ChangeRole', some.record({ ...plain, role })),
  command('RemoveMember', some.record(plain)),
  command('NoteSignIn', some.record({ ...plain, method })),
  command('NoteFailedSignIn', some.record(plain)),
  command('NoteSignOut', some.record(plain)),
  command('NoteSecurityChange', some.record({ ...plain, change })),
)

const ofMember = { memberId: aMember, at: some.anyTime }
const teamEvents: ByType<TeamEvent> = {
  MemberInvited: event('MemberInvited', some.record({ ...ofMember, role, person: some.anyText })),
  MemberJoined: event('MemberJoined', some.record(ofMember)),
  MemberRoleChanged: event('MemberRoleChanged', some.record({ ...ofMember, role })),
  MemberRemoved: event('MemberRemoved', some.record(ofMember)),
  MemberSignedIn: event('MemberSignedIn', some.record({ ...ofMember, method })),
  MemberSignInFailed: event('MemberSignInFailed', some.record(ofMember)),
  MemberSignedOut: event('MemberSignedOut', some.record(ofMember)),
  MemberSecurityChanged: event('MemberSecurityChanged', some.record({ ...ofMember, change })),
}
export const anyTeamEvent: fc.Arbitrary<TeamEvent> = fc.oneof(...Object.values(teamEvents))
