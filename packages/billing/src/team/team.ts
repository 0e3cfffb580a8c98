import * as E from 'fp-ts/lib/Either.js'
import type { Merchants } from '../features/merchants/merchants.ts'
import { accountBook } from './account.ts'
import type { SignInFailure } from './failures.ts'
import { memberKeys } from './member-keys.ts'
import { teamMembers } from './members.ts'
import { ownSecurity } from './own-security.ts'
import { type BrowserAnswer, memberNamedIn, passkeyCeremonies } from './passkeys.ts'
import type { TeamServices } from './services.ts'
import { memberSessionsOf } from './sessions.ts'
import { signInBySecrets } from './sign-in.ts'
import { teamStreams } from './team-streams.ts'

/** The people who act for merchants: who they are, how they sign in, and what they may do. */
export const team = (services: TeamServices, merchants: Merchants) => {
  const accounts = accountBook(services)
  const teams = teamStreams(services)
  const sessions = memberSessionsOf(services, accounts, teams)
  const passkeys = passkeyCeremonies(services)
  const keys = memberKeys(services, teams, merchants)

  /** Signs in whoever has the passkey that the browser's answer proves. */
  const byPasskey = async (answer: BrowserAnswer): Promise<E.Either<SignInFailure, string>> => {
    const refused = E.left<SignInFailure>({ _tag: 'SignInRefused' })
    const account = await accounts.withId(memberNamedIn(answer) ?? '')
    const proven = account === null ? null : await passkeys.provenBy(answer, account.data.passkeys)
    if (account === null || proven === null) return refused
    const used = await accounts.change(account.memberId, (data) =>
      data.passkeys.some(({ id }) => id === proven.id)
        ? { ...data, passkeys: data.passkeys.map((each) => (each.id === proven.id ? proven : each)) }
        : null,
    )
    return used === null ? refused : sessions.open(account, 'passkey')
  }

  return {
    sessions,
    signIn: {
      ...signInBySecrets(services, accounts, teams, sessions),
      passkeyOptions: passkeys.optionsToSignIn,
      byPasskey,
    },
    members: teamMembers(services, accounts, teams, sessions, keys),
    keys,
    own: ownSecurity(services, accounts, teams, sessions, passkeys),
    /** Whether browsers reach the service by https only. */
    isSecure: () => services.publicUrl().startsWith('https:'),
    isOwnOrigin: (origin: string): boolean => origin === new URL(services.publicUrl()).origin,
  }
}
export type Team = ReturnType<typeof team>
