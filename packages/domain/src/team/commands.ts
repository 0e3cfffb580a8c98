import type { MemberId } from '../shared/ids.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { MemberRole, SecurityChange, SignInMethod } from './events.ts'

type OfMember = { readonly memberId: MemberId; readonly at: UnixMs }

export type InviteMember = {
  readonly type: 'InviteMember'
  readonly role: MemberRole
  readonly person: Text
} & OfMember
export type JoinTeam = { readonly type: 'JoinTeam' } & OfMember
export type ChangeRole = { readonly type: 'ChangeRole'; readonly role: MemberRole } & OfMember
export type RemoveMember = { readonly type: 'RemoveMember' } & OfMember
export type NoteSignIn = { readonly type: 'NoteSignIn'; readonly method: SignInMethod } & OfMember
/** Noted a few times an hour, so that nobody fills the log by guessing. */
export type NoteFailedSignIn = { readonly type: 'NoteFailedSignIn' } & OfMember
export type NoteSignOut = { readonly type: 'NoteSignOut' } & OfMember
export type NoteSecurityChange = { readonly type: 'NoteSecurityChange'; readonly change: SecurityChange } & OfMember

/** What may be asked of a team. */
export type TeamCommand =
  | InviteMember
  | JoinTeam
  | ChangeRole
  | RemoveMember
  | NoteSignIn
  | NoteFailedSignIn
  | NoteSignOut
  | NoteSecurityChange
