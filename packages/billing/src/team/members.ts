import { randomBytes } from 'node:crypto'
import {
  asText,
  dayMs,
  idTime,
  type Member,
  MemberId,
  type MemberRole,
  type TeamRejection,
  type Text,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../kernel/derive.ts'
import type { ExecuteFailure } from '../kernel/execute.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { timestamp } from '../resources/fields.ts'
import type { Account, AccountBook } from './account.ts'
import type { InvitationInvalid, KeyChangeFailure, MemberEmailTaken, SignInFailure, TeamFailure } from './failures.ts'
import type { MemberKeys } from './member-keys.ts'
import { hashPassword } from './passwords.ts'
import { type TeamServices, teamTime } from './services.ts'
import type { MemberSessions, SignedIn } from './sessions.ts'
import type { TeamStreams } from './team-streams.ts'

/** Who does something to a team: a member, or the operator on the command line. */
export type TeamActor = { readonly actor: string; readonly merchantId: string }
export type NewMember = { readonly email: string; readonly role: MemberRole }
export type Joining = { readonly token: string; readonly name: string; readonly password: string }

const invitationMs = 7 * dayMs
const teamOperator = asText('operator')

const noAccount = { name: null, password: null, totp: null, passkeys: [], recoveryHashes: [], invitation: null }

type InviteFailure = ExecuteFailure | TeamRejection | MemberEmailTaken
type NewInvitation = {
  readonly object: 'invitation'
  readonly member_id: MemberId
  readonly email: string
  readonly role: MemberRole
  readonly url: string
  readonly expires_at: string
}

export const teamMembers = (
  services: TeamServices,
  accounts: AccountBook,
  teams: TeamStreams,
  sessions: MemberSessions,
  keys: MemberKeys,
) => {
  const { members, vault, freshId, publicUrl, readModels } = services
  const invitationHash = (memberId: string, secret: string) =>
    vault.keyedHash('invitation to a team', `${memberId}\n${secret}`)

  const resource = ({ memberId, role, status, invitedAt }: Member, account: Account | undefined) => ({
    object: 'member' as const,
    id: memberId,
    email: account?.data.email ?? null,
    name: account?.data.name ?? null,
    role,
    status,
    has_second_factor: account?.data.totp?.isOn === true || (account?.data.passkeys ?? []).length > 0,
    created_at: timestamp(invitedAt),
  })
  const list = async (merchantId: string) => {
    const team = await teams.stateOf(merchantId)
    if (E.isLeft(team)) return team
    const known = await accounts.ofMerchant(merchantId)
    return E.right(
      team.right.members.map((member) =>
        resource(
          member,
          known.find(({ memberId }) => memberId === member.memberId),
        ),
      ),
    )
  }
  const shown = async (merchantId: string, memberId: string) => {
    const all = await list(merchantId)
    if (E.isLeft(all)) return all
    return E.fromNullable({ _tag: 'MemberNotFound' as const })(all.right.find(({ id }) => id === memberId))
  }

  /** Frees an email that an invitation holds which was never recorded, or whose member is gone. */
  const freeEmail = async (email: string): Promise<E.Either<StoreUnavailable, boolean>> => {
    const holder = await accounts.withEmail(email)
    if (holder === null) return E.right(false)
    const member = await teams.member(holder.merchantId, holder.memberId)
    if (E.isLeft(member)) return member
    if (member.right !== null) return E.right(false)
    await accounts.remove(holder.memberId)
    return E.right(true)
  }

  const invite = async (
    { actor, merchantId }: TeamActor,
    { email, role }: NewMember,
    person: Text | null,
  ): Promise<E.Either<InviteFailure, NewInvitation>> => {
    const memberId = createdId(MemberId, teamTime(), freshId())
    const secret = randomBytes(32).toString('base64url')
    const endsAt = unixMs(teamTime() + invitationMs)
    const invitation = { hash: await invitationHash(memberId, secret), endsAt }
    const account = { memberId, merchantId, data: { ...noAccount, email, invitation } }
    if (!(await accounts.add(account))) {
      const freed = await freeEmail(email)
      if (E.isLeft(freed)) return freed
      if (!freed.right || !(await accounts.add(account))) return E.left({ _tag: 'MemberEmailTaken' })
    }
    const command = {
      type: 'InviteMember',
      memberId,
      role,
      person: person ?? asText(memberId),
      at: teamTime(),
    } as const
    const invited = await teams.command(merchantId, actor, command)
    if (E.isLeft(invited)) {
      await accounts.remove(memberId)
      return invited
    }
    return E.right({
      object: 'invitation',
      member_id: memberId,
      email,
      role,
      url: `${publicUrl()}/dashboard/join#${memberId}.${secret}`,
      expires_at: timestamp(endsAt),
    })
  }

  return {
    list,
    /** Whoever is invited by a member stands for the same person, where a second one is asked for. */
    inviteByMember: async (by: SignedIn, member: NewMember) => {
      const inviter = await teams.member(by.merchantId, by.memberId)
      if (E.isLeft(inviter)) return inviter
      return invite({ actor: by.memberId, merchantId: by.merchantId }, member, inviter.right?.person ?? null)
    },
    /** Whoever the operator invites is a person of their own. */
    inviteByOperator: (merchantId: string, member: NewMember) =>
      invite({ actor: teamOperator, merchantId }, member, null),
    /** Makes a member of whoever has the link of an invitation, and signs them in. */
    join: async ({ token, name, password }: Joining): Promise<E.Either<SignInFailure | InvitationInvalid, string>> => {
      const [memberId = '', secret = ''] = token.split('.')
      const hash = await invitationHash(memberId, secret)
      const hashed = await hashPassword(password)
      const account = await accounts.withId(memberId)
      const isInvited = ({ invitation }: Account['data']) =>
        invitation !== null && invitation.hash === hash && invitation.endsAt > teamTime()
      if (account === null || !isInvited(account.data)) return E.left({ _tag: 'InvitationInvalid' })
      const command = { type: 'JoinTeam', memberId: account.memberId, at: teamTime() } as const
      const joined = await teams.command(account.merchantId, memberId, command)
      if (E.isLeft(joined)) return E.left({ _tag: 'InvitationInvalid' })
      const taken = await accounts.change(memberId, (data) =>
        isInvited(data) ? { ...data, name, password: hashed, invitation: null } : null,
      )
      return taken === null ? E.left({ _tag: 'InvitationInvalid' }) : sessions.open(account, 'invitation')
    },
    changeRole: async ({ actor, merchantId }: TeamActor, memberId: string, role: MemberRole) => {
      if (!MemberId.is(memberId)) return E.left({ _tag: 'MemberNotFound' as const })
      const changed = await teams.command(merchantId, actor, { type: 'ChangeRole', memberId, role, at: teamTime() })
      return E.isLeft(changed) ? changed : shown(merchantId, memberId)
    },
    /** Ends what they may do at once, with the keys that they have made, and forgets their name and secrets. */
    remove: async (
      { actor, merchantId }: TeamActor,
      memberId: string,
    ): Promise<E.Either<ExecuteFailure | TeamRejection | KeyChangeFailure, null>> => {
      if (!MemberId.is(memberId)) return E.left({ _tag: 'MemberNotFound' as const })
      const removed = await teams.command(merchantId, actor, { type: 'RemoveMember', memberId, at: teamTime() })
      if (E.isLeft(removed)) return removed
      await members.sessions.endAllOf(memberId)
      await accounts.remove(memberId)
      return keys.revokeAllOf(actor, merchantId, memberId)
    },
    /** Signs in the first owner of a sandbox's first merchant, who is made on first use and has no password. */
    enterSandbox: async (): Promise<E.Either<TeamFailure, string>> => {
      const [merchant] = await readModels.merchants.all()
      if (merchant === undefined) return E.left({ _tag: 'SignInRefused' })
      const team = await teams.stateOf(merchant.id)
      if (E.isLeft(team)) return team
      const owner = team.right.members.find(({ role, status }) => role === 'owner' && status === 'active')
      if (owner !== undefined && (await accounts.withId(owner.memberId)) !== null)
        return sessions.open({ memberId: owner.memberId, merchantId: merchant.id }, 'sandbox')
      return makeSandboxOwner(merchant.id)
    },
  }

  /** By the same id, however many visitors come first. */
  async function makeSandboxOwner(merchantId: string): Promise<E.Either<TeamFailure, string>> {
    const madeAt: UnixMs = idTime(merchantId) ?? teamTime()
    const memberId = createdId(MemberId, madeAt, derivedCommandId(merchantId, 'owner of the sandbox'))
    const data = { ...noAccount, email: `owner@${merchantId.slice(4).toLowerCase()}.sandbox`, name: 'Sandbox owner' }
    await accounts.add({ memberId, merchantId, data })
    const at = teamTime()
    for (const command of [
      { type: 'InviteMember', memberId, role: 'owner', person: asText(memberId), at },
      { type: 'JoinTeam', memberId, at },
    ] as const) {
      const done = await teams.command(merchantId, teamOperator, command)
      if (E.isLeft(done)) return done
    }
    return sessions.open({ memberId, merchantId }, 'sandbox')
  }
}
