import type { Team } from '../team/index.ts'
import type { Behind } from './behind.ts'

export const behindTeam: Behind<typeof Team> = (_, { type, data }) => {
  switch (type) {
    case 'MemberInvited':
      return [{ type: 'InviteMember', ...data }]
    case 'MemberJoined':
      return [{ type: 'JoinTeam', ...data }]
    case 'MemberRoleChanged':
      return [{ type: 'ChangeRole', ...data }]
    case 'MemberRemoved':
      return [{ type: 'RemoveMember', ...data }]
    case 'MemberSignedIn':
      return [{ type: 'NoteSignIn', ...data }]
    case 'MemberSignInFailed':
      return [{ type: 'NoteFailedSignIn', ...data }]
    case 'MemberSignedOut':
      return [{ type: 'NoteSignOut', ...data }]
    case 'MemberSecurityChanged':
      return [{ type: 'NoteSecurityChange', ...data }]
  }
}
