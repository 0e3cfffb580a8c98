import { type KeyedHash, MemberId, Sealed, type UnixMs } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import * as t from 'io-ts'
import { exists, isChanged, query, write } from '../sql/query.ts'

const MemberAccount = t.strict({ memberId: MemberId, merchantId: t.string, sealed: Sealed, version: t.number })
/** What proves who a member is, sealed under the member's key in the vault. `version` counts its changes. */
export type MemberAccount = t.TypeOf<typeof MemberAccount>

/** The accounts of the members of all teams. They are in no event: names and secrets do not belong there. */
export interface MemberAccounts {
  /** False if another account has the email. Repeating it changes nothing. */
  readonly add: (account: Omit<MemberAccount, 'version'>, email: KeyedHash, now: UnixMs) => Promise<boolean>
  readonly withId: (memberId: string) => Promise<MemberAccount | null>
  readonly withEmail: (email: KeyedHash) => Promise<MemberAccount | null>
  readonly ofMerchant: (merchantId: string) => Promise<ReadonlyArray<MemberAccount>>
  /** False if it was changed since this version was read. */
  readonly replace: (account: MemberAccount) => Promise<boolean>
  readonly remove: (memberId: string) => Promise<void>
}

export const memberAccountTable = `CREATE TABLE IF NOT EXISTS member_accounts (
  member_id TEXT PRIMARY KEY, merchant_id TEXT NOT NULL, email_hash TEXT NOT NULL UNIQUE, sealed TEXT NOT NULL,
  version INTEGER NOT NULL, made_at INTEGER NOT NULL
) STRICT`

const insert = isChanged('INSERT INTO member_accounts VALUES (?, ?, ?, ?, 1, ?) ON CONFLICT DO NOTHING')
const has = exists('SELECT 1 FROM member_accounts WHERE member_id = ? AND email_hash = ?')
const select = 'SELECT member_id AS "memberId", merchant_id AS "merchantId", sealed, version FROM member_accounts'
const withId = query(MemberAccount, `${select} WHERE member_id = ?`)
const withEmail = query(MemberAccount, `${select} WHERE email_hash = ?`)
const ofMerchant = query(MemberAccount, `${select} WHERE merchant_id = ? ORDER BY made_at, member_id`)
const replace = isChanged(
  'UPDATE member_accounts SET sealed = ?, version = version + 1 WHERE member_id = ? AND version = ?',
)
const remove = write('DELETE FROM member_accounts WHERE member_id = ?')

/** Beside claims and cursors, where every process finds them. */
export const memberAccounts = ({ run }: Sql): MemberAccounts => ({
  add: ({ memberId, merchantId, sealed }, email, now) =>
    run(function* () {
      return (yield* insert(memberId, merchantId, email, sealed, now)()) || (yield* has(memberId, email)())
    }),
  withId: (memberId) => run(withId.one(memberId)),
  withEmail: (email) => run(withEmail.one(email)),
  ofMerchant: (merchantId) => run(ofMerchant.all(merchantId)),
  replace: ({ memberId, sealed, version }) => run(replace(sealed, memberId, version)),
  remove: (memberId) => run(remove(memberId)),
})
