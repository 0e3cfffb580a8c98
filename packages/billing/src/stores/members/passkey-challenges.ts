import type { UnixMs } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import { isChanged, write } from '../sql/query.ts'

/** Challenges that passkeys sign, each good once. `purpose`: a sign-in, or whose new passkey it is for. */
export interface PasskeyChallenges {
  readonly add: (challenge: string, purpose: string, endsAt: UnixMs) => Promise<void>
  /** Uses a challenge up; false for one that is not good for this. */
  readonly spend: (challenge: string, purpose: string, now: UnixMs) => Promise<boolean>
  readonly purge: (now: UnixMs) => Promise<void>
}

export const passkeyChallengeTable = `CREATE TABLE IF NOT EXISTS passkey_challenges (
  challenge TEXT PRIMARY KEY, purpose TEXT NOT NULL, ends_at INTEGER NOT NULL
) STRICT`

const insert = write('INSERT INTO passkey_challenges VALUES (?, ?, ?)')
const spend = isChanged('DELETE FROM passkey_challenges WHERE challenge = ? AND purpose = ? AND ends_at > ?')
const purge = write('DELETE FROM passkey_challenges WHERE ends_at <= ?')

/** Beside claims and cursors, where every process finds them. */
export const passkeyChallenges = ({ run }: Sql): PasskeyChallenges => ({
  add: (challenge, purpose, endsAt) => run(insert(challenge, purpose, endsAt)),
  spend: (challenge, purpose, now) => run(spend(challenge, purpose, now)),
  purge: (now) => run(purge(now)),
})
