import { randomBytes } from 'node:crypto'
import {
  type Environment,
  type KeyedHash,
  type MemberId,
  type MemberRole,
  minuteMs,
  type SignInMethod,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Principal } from '../features/merchants/api-keys.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { timestamp } from '../resources/fields.ts'
import { actsAsSecretKey, scopesOfRole } from '../resources/member-scopes.ts'
import { sessionEnd } from '../stores/members/sessions.ts'
import type { AccountBook } from './account.ts'
import type { SignInFailure } from './failures.ts'
import { type TeamServices, teamTime } from './services.ts'
import { isTeamRejection, type TeamStreams } from './team-streams.ts'

/** A member with a session. */
export type SignedIn = {
  readonly memberId: MemberId
  readonly merchantId: string
  readonly email: string
  readonly name: string | null
  readonly role: MemberRole
  readonly session: KeyedHash
  readonly signedInAt: UnixMs
  readonly endsAt: UnixMs
}

/** How long ago a sign-in may be for changes to what proves who a member is. */
const recentMs = 15 * minuteMs

/** What a member does counts as that of a key: without bounds for owners and admins, with the scopes of others' roles. */
export const principalOfMember = ({ memberId, merchantId, role }: SignedIn, environment: Environment): Principal => ({
  merchantId,
  environment,
  keyId: memberId,
  kind: actsAsSecretKey(role) ? 'secret' : 'app',
  scopes: actsAsSecretKey(role) ? [] : scopesOfRole(role),
})

export const memberSessionsOf = (services: TeamServices, accounts: AccountBook, teams: TeamStreams) => {
  const { members, vault, left, readModels, networks } = services
  const hashOf = (secret: string): Promise<KeyedHash> => vault.keyedHash('member session', secret)
  return {
    /** Records the sign-in, and opens a session by a new secret. */
    open: async (
      { memberId, merchantId }: Pick<SignedIn, 'memberId' | 'merchantId'>,
      method: SignInMethod,
    ): Promise<E.Either<SignInFailure, string>> => {
      const noted = await teams.command(merchantId, memberId, { type: 'NoteSignIn', memberId, method, at: teamTime() })
      if (E.isLeft(noted)) return E.left(isTeamRejection(noted.left) ? { _tag: 'SignInRefused' } : noted.left)
      const secret = randomBytes(32).toString('base64url')
      await members.sessions.open(await hashOf(secret), { memberId, merchantId }, teamTime())
      return E.right(secret)
    },
    /** Who has this session; null once it has ended, or the member or the merchant is gone. */
    find: async (secret: string): Promise<E.Either<StoreUnavailable, SignedIn | null>> => {
      const session = await hashOf(secret)
      const found = await members.sessions.use(session, teamTime())
      if (found === null || (await left.has(found.merchantId))) return E.right(null)
      const { memberId, merchantId, madeAt: signedInAt } = found
      const member = await teams.member(merchantId, memberId)
      if (E.isLeft(member)) return member
      const account = await accounts.withId(memberId)
      if (member.right?.status !== 'active' || account === null) return E.right(null)
      const { email, name } = account.data
      const endsAt = unixMs(sessionEnd(found))
      return E.right({ memberId, merchantId, email, name, role: member.right.role, session, signedInAt, endsAt })
    },
    isRecent: ({ signedInAt }: SignedIn): boolean => teamTime() - signedInAt < recentMs,
    end: async ({ memberId, merchantId, session }: SignedIn): Promise<E.Either<SignInFailure, null>> => {
      await members.sessions.end(session)
      const noted = await teams.command(merchantId, memberId, { type: 'NoteSignOut', memberId, at: teamTime() })
      return E.isLeft(noted) && !isTeamRejection(noted.left) ? E.left(noted.left) : E.right(null)
    },
    /** A session as its member sees it. */
    resource: async ({ memberId, merchantId, email, name, role, endsAt }: SignedIn) => ({
      object: 'session' as const,
      member: { id: memberId, email, name, role },
      merchant_id: merchantId,
      merchant_name: (await readModels.merchants.withId(merchantId))?.row.name ?? '',
      scopes: scopesOfRole(role),
      environments: (['testnet', 'mainnet'] as const).filter((each) => networks[each] !== null),
      expires_at: timestamp(endsAt),
    }),
  }
}
export type MemberSessions = ReturnType<typeof memberSessionsOf>
