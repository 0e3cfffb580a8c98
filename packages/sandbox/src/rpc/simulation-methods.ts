import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { noOffers } from '../exchange/book.ts'
import { draftOn, type LedgerDraft } from '../ledger/draft.ts'
import { readEnvelope } from '../ledger/envelope.ts'
import { sha256 } from '../network.ts'
import type { LedgerReader } from '../sandbox-api.ts'
import { simulate } from '../simulation/index.ts'
import { invalidParams, method } from './method.ts'

const nullable = <C extends t.Mixed>(codec: C) => t.union([t.null, codec])

const Simulation = t.intersection([
  t.type({ transaction: t.string }),
  t.partial({
    authMode: nullable(t.string),
    useUpgradedAuth: nullable(t.boolean),
    resourceConfig: nullable(t.partial({ instructionLeeway: t.Int })),
  }),
])

const authModes = new Set(['', 'record', 'enforce', 'record_allow_nonroot'])

/** A draft of the last closed ledger as one request sees it, without order books, which contracts cannot reach. */
const draftOf = (read: LedgerReader): LedgerDraft => {
  const { sequence, closeTime } = read.range().latest
  const find = (key: string) => read.findEntry(xdr.LedgerKey.fromXdr(key, 'hex'))
  return draftOn({ ...noOffers, find, lastId: () => 0n }, { sequence, closeTime: BigInt(closeTime) })
}

/**
 * Simulates a contract transaction: its resources and its effects. A fee bump is simulated as its inner transaction.
 */
export const simulateTransaction = method(Simulation, (asked, { read, sandbox }) => {
  const authMode = asked.authMode ?? ''
  if (!authModes.has(authMode)) return invalidParams(`invalid authMode: ${authMode}`)
  const { latest } = read.range()
  const latestLedger = latest.sequence
  const signed = readEnvelope(Buffer.from(asked.transaction, 'base64'), { id: sha256(sandbox.networkPassphrase) })
  if (E.isLeft(signed)) return E.right({ error: 'Could not unmarshal transaction', events: [], latestLedger })
  const { events, ...found } = simulate(signed.right, draftOf(read), {
    authMode,
    isAddressBound: asked.useUpgradedAuth ?? false,
    leeway: asked.resourceConfig?.instructionLeeway ?? 0,
  })
  return E.right({ ...found, events: events.map((each) => each.toXdr('base64')), latestLedger })
})
