import type { SecurityChange } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { timestamp, timestampOrNull } from '../resources/fields.ts'
import type { AccountBook, AccountData } from './account.ts'
import type { TeamFailure } from './failures.ts'
import { newTotpSecret, stepOfCode, totpUri } from './one-time-codes.ts'
import type { BrowserAnswer, PasskeyCeremonies } from './passkeys.ts'
import { hashPassword } from './passwords.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'
import { type TeamServices, teamTime } from './services.ts'
import type { MemberSessions, SignedIn } from './sessions.ts'
import type { TeamStreams } from './team-streams.ts'

const issuer = 'Quittance'

/** What members change about how they prove who they are. Each change is recorded without what it is. */
export const ownSecurity = (
  services: TeamServices,
  accounts: AccountBook,
  teams: TeamStreams,
  sessions: MemberSessions,
  passkeys: PasskeyCeremonies,
) => {
  const { members, vault } = services
  const note = ({ merchantId, memberId }: SignedIn, change: SecurityChange) =>
    teams.command(merchantId, memberId, { type: 'NoteSecurityChange', memberId, change, at: teamTime() })

  /** Changes the account, or answers the failure where `change` wants nothing. */
  const changed = async <F extends TeamFailure>(
    member: SignedIn,
    change: (data: AccountData) => AccountData | null,
    unless: F,
    as: SecurityChange,
  ): Promise<E.Either<TeamFailure, null>> => {
    if ((await accounts.change(member.memberId, change)) === null) return E.left(unless)
    return E.map(() => null)(await note(member, as))
  }
  const gone = { _tag: 'MemberNotFound' } as const

  return {
    show: async ({ memberId, role }: SignedIn) => {
      const account = await accounts.withId(memberId)
      if (account === null) return E.left(gone)
      const { email, name, password, totp, passkeys: own, recoveryHashes } = account.data
      return E.right({
        object: 'own_member' as const,
        id: memberId,
        email,
        name,
        role,
        has_password: password !== null,
        totp_is_on: totp?.isOn === true,
        passkeys: own.map(({ id, name, addedAt, usedAt }) => ({
          id,
          name,
          created_at: timestamp(addedAt),
          last_used_at: timestampOrNull(usedAt),
        })),
        recovery_codes_left: recoveryHashes.length,
      })
    },
    /** Ends all sessions of the member, and opens another one for the caller. */
    changePassword: async (member: SignedIn, password: string): Promise<E.Either<TeamFailure, string>> => {
      const hashed = await hashPassword(password)
      const set = await changed(member, (data) => ({ ...data, password: hashed }), gone, 'password_changed')
      if (E.isLeft(set)) return set
      await members.sessions.endAllOf(member.memberId)
      return sessions.open(member, 'password')
    },
    /** A secret for an authenticator app; it counts once a code of it is confirmed. */
    beginTotp: async (member: SignedIn) => {
      const secret = newTotpSecret()
      const begun = await accounts.change(member.memberId, (data) =>
        data.totp?.isOn === true ? null : { ...data, totp: { secret, isOn: false, lastStep: 0 } },
      )
      if (begun === null) return E.left({ _tag: 'TotpNotBegun' as const })
      return E.right({ object: 'totp' as const, secret, uri: totpUri(secret, member.email, issuer) })
    },
    confirmTotp: (member: SignedIn, code: string) =>
      changed(
        member,
        (data) => {
          const { totp } = data
          const step = totp === null || totp.isOn ? null : stepOfCode(totp.secret, code, totp.lastStep, teamTime())
          return totp === null || step === null ? null : { ...data, totp: { ...totp, isOn: true, lastStep: step } }
        },
        { _tag: 'WrongCode' },
        'totp_turned_on',
      ),
    endTotp: async (member: SignedIn): Promise<E.Either<TeamFailure, null>> => {
      const ended = await accounts.change(member.memberId, (data) =>
        data.totp === null ? null : { ...data, totp: null },
      )
      return ended === null ? E.right(null) : E.map(() => null)(await note(member, 'totp_turned_off'))
    },
    /** New codes, which take the place of all former ones. */
    makeRecoveryCodes: async (member: SignedIn) => {
      const codes = newRecoveryCodes()
      const hashes = await Promise.all(codes.map((code) => recoveryHash(vault, member.memberId, code)))
      const made = await changed(member, (data) => ({ ...data, recoveryHashes: hashes }), gone, 'recovery_codes_made')
      return E.map(() => ({ object: 'recovery_codes' as const, codes }))(made)
    },
    passkeyOptions: async ({ memberId }: SignedIn) => {
      const account = await accounts.withId(memberId)
      return account === null ? E.left(gone) : E.right(await passkeys.optionsToAdd(account))
    },
    addPasskey: async (member: SignedIn, name: string, answer: BrowserAnswer) => {
      const passkey = await passkeys.addedBy(answer, member.memberId, name, teamTime())
      if (passkey === null) return E.left({ _tag: 'PasskeyRefused' as const })
      return changed(
        member,
        (data) =>
          data.passkeys.some(({ id }) => id === passkey.id) ? null : { ...data, passkeys: [...data.passkeys, passkey] },
        { _tag: 'PasskeyRefused' },
        'passkey_added',
      )
    },
    removePasskey: (member: SignedIn, passkeyId: string) =>
      changed(
        member,
        (data) =>
          data.passkeys.some(({ id }) => id === passkeyId)
            ? { ...data, passkeys: data.passkeys.filter(({ id }) => id !== passkeyId) }
            : null,
        { _tag: 'PasskeyNotFound' },
        'passkey_removed',
      ),
  }
}
