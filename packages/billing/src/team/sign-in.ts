import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../kernel/load.ts'
import { processActor } from '../kernel/step-context.ts'
import { type Account, type AccountBook, memberEmailHash } from './account.ts'
import type { SignInFailure, SignInRefused, TooManySignIns } from './failures.ts'
import { stepOfCode } from './one-time-codes.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { recoveryHash } from './recovery-codes.ts'
import { type TeamServices, teamTime } from './services.ts'
import type { MemberSessions } from './sessions.ts'
import type { TeamStreams } from './team-streams.ts'

export type Credentials = { readonly email: string; readonly password: string; readonly code: string | null }
export type Recovery = { readonly email: string; readonly recoveryCode: string; readonly newPassword: string }

const refused = E.left<SignInRefused>({ _tag: 'SignInRefused' })

/**
 * Signs members in by what they know. The answer and its time tell nobody whether somebody has an email: a try is counted,
 * and a password hashed, for known and unknown ones alike, and a failure is recorded after the answer.
 */
export const signInBySecrets = (
  services: TeamServices,
  accounts: AccountBook,
  teams: TeamStreams,
  sessions: MemberSessions,
) => {
  const { members, vault } = services

  /** The account with an email, whose member has joined; null without one. */
  const accountOf = async (
    email: string,
    client: string,
  ): Promise<E.Either<TooManySignIns | StoreUnavailable, Account | null>> => {
    const [emailHash, clientHash] = [await memberEmailHash(services, email), await vault.keyedHash('client', client)]
    if (!(await members.tries.count(emailHash, clientHash, teamTime()))) return E.left({ _tag: 'TooManySignIns' })
    const account = await accounts.withEmail(email)
    if (account === null) return E.right(null)
    const member = await teams.member(account.merchantId, account.memberId)
    if (E.isLeft(member)) return member
    return E.right(member.right?.status === 'active' ? account : null)
  }

  /** Afterwards, so that it delays no answer. What cannot be written is lost: the tries are counted apart. */
  const noteFailure = (account: Account | null): void => {
    if (account === null) return
    const { merchantId, memberId } = account
    const command = { type: 'NoteFailedSignIn', memberId, at: teamTime() } as const
    setImmediate(() => void teams.command(merchantId, processActor, command).catch(() => undefined))
  }

  /** Uses the code of an authenticator app up. */
  const useCode = async ({ memberId }: Account, code: string): Promise<boolean> => {
    const used = await accounts.change(memberId, (data) => {
      if (data.totp === null) return null
      const step = stepOfCode(data.totp.secret, code, data.totp.lastStep, teamTime())
      return step === null ? null : { ...data, totp: { ...data.totp, lastStep: step } }
    })
    return used !== null
  }

  return {
    byPassword: async (
      { email, password, code }: Credentials,
      client: string,
    ): Promise<E.Either<SignInFailure, string>> => {
      const found = await accountOf(email, client)
      if (E.isLeft(found)) return found
      const account = found.right
      const isRight = await isPassword(account?.data.password ?? null, password)
      if (account === null || !isRight) {
        noteFailure(account)
        return refused
      }
      const { totp, passkeys } = account.data
      if (totp?.isOn !== true) {
        if (passkeys.length > 0) return E.left({ _tag: 'SecondFactorNeeded', factor: 'passkey' })
        return sessions.open(account, 'password')
      }
      if (code === null) return E.left({ _tag: 'SecondFactorNeeded', factor: 'code' })
      if (await useCode(account, code)) return sessions.open(account, 'password_and_code')
      noteFailure(account)
      return refused
    },
    /**
     * Sets a new password by a recovery code, which is used up, and signs in. Authenticator app and sessions end: they may be
     * lost, or somebody else's.
     */
    byRecoveryCode: async (
      { email, recoveryCode, newPassword }: Recovery,
      client: string,
    ): Promise<E.Either<SignInFailure, string>> => {
      const found = await accountOf(email, client)
      if (E.isLeft(found)) return found
      const account = found.right
      const password = await hashPassword(newPassword)
      const used = await recoveryHash(vault, account?.memberId ?? '', recoveryCode)
      const changed =
        account === null
          ? null
          : await accounts.change(account.memberId, (data) =>
              data.recoveryHashes.includes(used)
                ? { ...data, password, totp: null, recoveryHashes: data.recoveryHashes.filter((each) => each !== used) }
                : null,
            )
      if (account === null || changed === null) {
        noteFailure(account)
        return refused
      }
      const { merchantId, memberId } = account
      await members.sessions.endAllOf(memberId)
      const change = { type: 'NoteSecurityChange', memberId, change: 'password_recovered', at: teamTime() } as const
      const noted = await teams.command(merchantId, memberId, change)
      return E.isLeft(noted) ? refused : sessions.open(account, 'recovery_code')
    },
  }
}
