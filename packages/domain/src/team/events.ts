import * as t from 'io-ts'
import { fact, facts } from '../shared/fact.ts'
import { MemberId } from '../shared/ids.ts'
import { strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/** What a member may do: `owner` everything, also with the team; the others less, as the scopes of their role say. */
export const MemberRole = t.keyof(
  { owner: null, admin: null, developer: null, support: null, viewer: null },
  'MemberRole',
)
export type MemberRole = t.TypeOf<typeof MemberRole>

/** How a member has proven who they are. `sandbox`: by being at the machine of a sandbox. */
export const SignInMethod = t.keyof(
  { password: null, password_and_code: null, passkey: null, recovery_code: null, invitation: null, sandbox: null },
  'SignInMethod',
)
export type SignInMethod = t.TypeOf<typeof SignInMethod>

/** What a member has changed about how they prove who they are. */
export const SecurityChange = t.keyof(
  {
    password_changed: null,
    password_recovered: null,
    totp_turned_on: null,
    totp_turned_off: null,
    passkey_added: null,
    passkey_removed: null,
    recovery_codes_made: null,
  },
  'SecurityChange',
)
export type SecurityChange = t.TypeOf<typeof SecurityChange>

const ofMember = { memberId: MemberId, at: UnixMs }

/**
 * What happens in a merchant's team, as its stream holds it. Names, emails and secrets are in no event. `person`: for whom a
 * member stands where a second person is asked for.
 */
export const TeamEvent = facts([
  fact('MemberInvited', strict({ ...ofMember, role: MemberRole, person: Text })),
  fact('MemberJoined', strict(ofMember)),
  fact('MemberRoleChanged', strict({ ...ofMember, role: MemberRole })),
  fact('MemberRemoved', strict(ofMember)),
  fact('MemberSignedIn', strict({ ...ofMember, method: SignInMethod })),
  fact('MemberSignInFailed', strict(ofMember)),
  fact('MemberSignedOut', strict(ofMember)),
  fact('MemberSecurityChanged', strict({ ...ofMember, change: SecurityChange })),
])
export type TeamEvent = t.TypeOf<typeof TeamEvent>
