import { createHash } from 'node:crypto'
import { AccountId, Environment, IngestedThrough, KeyedHash, MerchantId, Text, UnixMs } from '@quittance/domain'
import * as t from 'io-ts'

/** What a network is called, and how far the source has ingested it for the merchant. */
const Place = t.intersection([IngestedThrough, t.strict({ networkPassphrase: t.string })])

/** The first line: whose export this is. `accounts` are those whose keys are in it, or that the merchant holds itself. */
export const Beginning = t.strict({
  kind: t.literal('merchant'),
  merchantId: MerchantId,
  name: Text,
  by: Text,
  reason: Text,
  leftAt: UnixMs,
  places: t.readonlyArray(Place),
  accounts: t.readonlyArray(
    t.strict({ environment: Environment, account: AccountId, holds: t.keyof({ settlement: null, operator: null }) }),
  ),
  /** Accounts that the streams name, whose keys stay at the source. */
  foreign: t.readonlyArray(AccountId),
  /** API keys whose secrets the source cannot derive any more: their holders need new ones. */
  lostKeys: t.readonlyArray(t.string),
})
export type Beginning = t.TypeOf<typeof Beginning>

/** An event as it was recorded; its position is the store's own. */
const EventLine = t.strict({
  kind: t.literal('event'),
  id: t.string,
  stream: t.string,
  revision: t.number,
  type: t.string,
  schemaVersion: t.number,
  data: t.UnknownRecord,
  metadata: t.strict({
    merchantId: t.string,
    environment: Environment,
    commandId: t.string,
    correlationId: t.string,
    causationId: t.union([t.string, t.null]),
    actor: t.string,
    occurredAt: t.number,
    previousHash: t.string,
    hash: t.string,
  }),
  recordedAt: t.number,
})
export type EventLine = t.TypeOf<typeof EventLine>

export const tables = ['idempotency_claims', 'webhook_endpoints', 'webhook_deliveries'] as const
const Cell = t.union([t.string, t.number, t.null])
const RowLine = t.strict({
  kind: t.literal('row'),
  table: t.union([t.literal(tables[0]), t.literal(tables[1]), t.literal(tables[2])]),
  row: t.readonly(t.record(t.string, Cell)),
})
export type RowLine = t.TypeOf<typeof RowLine>
/** `key` is base64; null: erased. */
const SubjectLine = t.strict({ kind: t.literal('subject'), subject: t.string, key: t.union([t.string, t.null]) })
const SeedLine = t.strict({ kind: t.literal('seed'), name: t.string, seed: t.string })
const HashLine = t.strict({ kind: t.literal('hash'), purpose: t.string, text: t.string, hash: KeyedHash })
const counts = {
  events: t.number,
  streams: t.number,
  rows: t.number,
  subjects: t.number,
  seeds: t.number,
  hashes: t.number,
}
/** The last line. `digest` is the SHA-256 of all lines before it, each with its line feed. */
const End = t.strict({ kind: t.literal('end'), ...counts, digest: t.string })
export type End = t.TypeOf<typeof End>

export const Line = t.union([Beginning, EventLine, RowLine, SubjectLine, SeedLine, HashLine, End])
export type Line = t.TypeOf<typeof Line>

/** Counts lines, and digests them. */
export const lineCounter = () => {
  const hash = createHash('sha256')
  const counted = { events: 0, streams: 0, rows: 0, subjects: 0, seeds: 0, hashes: 0 }
  return {
    take: (line: Exclude<Line, End>, text: string): void => {
      hash.update(`${text}\n`)
      switch (line.kind) {
        case 'merchant':
          return
        case 'event':
          counted.events += 1
          if (line.revision === 0) counted.streams += 1
          return
        case 'row':
          counted.rows += 1
          return
        case 'subject':
          counted.subjects += 1
          return
        case 'seed':
          counted.seeds += 1
          return
        case 'hash':
          counted.hashes += 1
          return
      }
    },
    end: (): End => ({ kind: 'end', ...counted, digest: hash.copy().digest('hex') }),
  }
}
