import type { Sql } from '@quittance/event-store'
import { type MemberAccounts, memberAccounts, memberAccountTable } from './accounts.ts'
import { type PasskeyChallenges, passkeyChallenges, passkeyChallengeTable } from './passkey-challenges.ts'
import { type MemberSessions, memberSessions, memberSessionTable } from './sessions.ts'
import { type SignInTries, signInTries, signInTryTable } from './sign-in-tries.ts'

/** What is kept of members beside the log. */
export type MemberStores = {
  readonly accounts: MemberAccounts
  readonly sessions: MemberSessions
  readonly tries: SignInTries
  readonly challenges: PasskeyChallenges
}

export const memberTables = [memberAccountTable, memberSessionTable, signInTryTable, passkeyChallengeTable].join(';\n')

export const memberStores = (sql: Sql): MemberStores => ({
  accounts: memberAccounts(sql),
  sessions: memberSessions(sql),
  tries: signInTries(sql),
  challenges: passkeyChallenges(sql),
})
