import type { LogMark } from '@quittance/domain'
import { rowsOf, type SqlDialect, type SqlProgram } from '@quittance/event-store'
import { markIn } from '../../stores/log-marks.ts'
import { exists } from '../../stores/sql/query.ts'
import { type ChainHash, fieldsOf, type Link, linkAfter, noLink } from '../../stores/vault/signing-chain.ts'

/** What the records of signatures say. `broken`: where the chain is not as it was written. */
export type Signings = {
  /** The transactions that were signed. */
  readonly transactions: ReadonlySet<string>
  /** The newest events of the log at the times of the signatures, by their place in it. */
  readonly marks: ReadonlyMap<string, LogMark>
  /** Which keys have signed for which accounts. */
  readonly keys: ReadonlyMap<string, { readonly key: string; readonly account: string }>
  readonly broken: ReadonlyArray<string>
  /** Of an earlier release, until the next start chains them. */
  readonly unchained: number
}

const rowsAtOnce = 1_000

/** The place of an event in the log. */
export const placeOf = ({
  stream,
  revision,
}: {
  readonly stream: string
  readonly revision: number | bigint
}): string => `${stream} @ ${revision}`

/** Reads all records once, in the order of their chain. `hashOf`: null where nobody has said the key of the hashes. */
export const readSignings = (dialect: SqlDialect, hashOf: ChainHash | null): SqlProgram<Signings> =>
  function* () {
    const reading = newReading(hashOf)
    const hasTable = exists(dialect.hasTable)
    if (!(yield* hasTable('signing_records')()) || !(yield* hasTable('signing_head')())) return reading.ended(null, 0)
    for (let after = 0; ; ) {
      const rows = yield* rowsOf(
        'SELECT * FROM signing_records WHERE link > ? ORDER BY link, number LIMIT ?',
        after,
        rowsAtOnce,
      )()
      for (const row of rows) reading.read({ link: Number(row.link), hash: String(row.hash) }, fieldsOf(row))
      const last = rows.at(-1)
      if (last === undefined) break
      after = Number(last.link)
    }
    const older = yield* rowsOf('SELECT * FROM signing_records WHERE link IS NULL')()
    for (const row of older) reading.note(fieldsOf(row))
    const [head] = yield* rowsOf('SELECT link, hash FROM signing_head')()
    return reading.ended(head === undefined ? null : { link: Number(head.link), hash: String(head.hash) }, older.length)
  }

const newReading = (hashOf: ChainHash | null) => {
  const transactions = new Set<string>()
  const marks = new Map<string, LogMark>()
  const keys = new Map<string, { readonly key: string; readonly account: string }>()
  const broken: Array<string> = []
  let before: Link = noLink

  const note = ({ key, account, purpose, digest, log_mark }: ReturnType<typeof fieldsOf>): void => {
    if (purpose === 'transaction' && digest !== null) transactions.add(digest)
    keys.set(`${key} ${account}`, { key, account })
    const mark = log_mark === null ? null : markIn(log_mark)
    if (mark !== null) marks.set(placeOf(mark), mark)
  }
  return {
    note,
    read: (own: Link, fields: ReturnType<typeof fieldsOf>): void => {
      note(fields)
      if (own.link !== before.link + 1) broken.push(missing(before.link + 1, own.link - 1))
      else if (hashOf !== null && linkAfter(hashOf, before, fields).hash !== own.hash)
        broken.push(`the signing record ${own.link} was altered, or the one before it is another`)
      before = own
    },
    ended: (head: Link | null, unchained: number): Signings => {
      const { link, hash } = head ?? noLink
      if (link > before.link) broken.push(missing(before.link + 1, link))
      else if (link < before.link || hash !== before.hash)
        broken.push('the head of the signing records is not the newest of them')
      return { transactions, marks, keys, broken, unchained }
    },
  }
}

const missing = (first: number, last: number): string =>
  first === last ? `the signing record ${first} is missing` : `the signing records ${first} to ${last} are missing`
