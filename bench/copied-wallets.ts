import { createHash } from 'node:crypto'
import { AccountId, type MandateId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { SqlDatabase } from '@quittance/event-store'
import { keyHashOf, storeIn } from '@quittance/sandbox/testing/internals'
import { StrKey, xdr } from '@stellar/stellar-sdk'

/** The values that distinguish the ledger entries of one enrolment. */
export type Enrolment = { readonly wallet: AccountId; readonly mandateId: MandateId; readonly reference: string }

/** A wallet without a secret key; its mandate is a copy of a signed one. */
export const walletOf = (number: number): AccountId =>
  decoded(AccountId, StrKey.encodeEd25519PublicKey(createHash('sha256').update(`wallet ${number}`).digest()))

const namesIn = ({ wallet, mandateId, reference }: Enrolment): ReadonlyArray<string> => [
  Buffer.from(StrKey.decodeEd25519PublicKey(wallet)).toString('hex'),
  mandateId,
  Buffer.from(reference).toString('hex'),
]

const lifetimeKey = (key: string): string =>
  xdr.LedgerKey.ttl(new xdr.LedgerKeyTtl({ keyHash: keyHashOf(key) })).toXdr('hex')

type Row = { readonly key: string; readonly entry: string }

/**
 * Copies a real enrolment in a sandbox's ledger: account, trustline, allowance, mandate and their lifetimes, under
 * other names. The next ledger's header covers them like all entries.
 */
export const walletCopier = (database: SqlDatabase, model: Enrolment) => {
  const store = storeIn(database)
  const own = namesIn(model)
  const rows = database
    .prepare('SELECT lower(hex(key)) AS key, lower(hex(entry)) AS entry FROM sandbox_entry')
    .all()
    .map(({ key, entry }): Row => ({ key: String(key), entry: String(entry) }))
  const kept = new Map(rows.map((row) => [row.key, row]))
  const named = rows.filter(({ key }) => own.some((name) => key.includes(name)))
  const renamed = (text: string, names: ReadonlyArray<string>): string =>
    own.reduce((done, name, index) => done.replaceAll(name, names[index] ?? name), text)
  const copy = (enrolment: Enrolment): ReadonlyArray<readonly [string, xdr.LedgerEntry]> => {
    const names = namesIn(enrolment)
    return named.flatMap((row) => {
      const key = renamed(row.key, names)
      const entry = xdr.LedgerEntry.fromXdr(renamed(row.entry, names), 'hex')
      const lifetime = kept.get(lifetimeKey(row.key))
      if (lifetime === undefined) return [[key, entry] as const]
      const hashes = [row.key, key].map((each) => Buffer.from(keyHashOf(each)).toString('hex'))
      const lives = lifetime.entry.replaceAll(hashes[0] ?? '', hashes[1] ?? '')
      return [[key, entry] as const, [lifetimeKey(key), xdr.LedgerEntry.fromXdr(lives, 'hex')] as const]
    })
  }
  return (enrolments: ReadonlyArray<Enrolment>): void => {
    const copies = new Map(enrolments.flatMap(copy))
    database.transaction(() => store.entries.write(copies, store.entries.lastId()))
  }
}
