import type { Anchor, Billing } from '@quittance/billing'
import { parseCheckpoint } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { CommandResult } from '../command.ts'
import type { Failure } from '../failures.ts'
import { grouped, table } from '../printing.ts'

const environments = ['testnet', 'mainnet'] as const
/** Anchors of years, at one a day. */
const most = 10_000

/** The checkpoints of the log that stand on the ledgers, or are on their way there. */
export const listAnchors = async ({ anchors }: Billing): Promise<E.Either<Failure, CommandResult>> => {
  const found: Array<Anchor> = []
  for (const environment of environments) {
    const listed = await anchors.list(environment, most)()
    if (E.isLeft(listed)) return listed
    found.push(...listed.right)
  }
  const json = found.map(anchorJson)
  const rows = json.map(({ environment, events, status, ledger, closed_at, transaction_hash, reason }) => [
    environment,
    events === null ? '' : grouped(events),
    reason === null ? status : `${status}: ${reason}`,
    ledger === null ? '' : ledger.toString(),
    closed_at ?? '',
    transaction_hash ?? '',
  ])
  const head = ['NETWORK', 'EVENTS', 'STATUS', 'LEDGER', 'CLOSED AT', 'TRANSACTION']
  const text = rows.length === 0 ? 'No checkpoint stands on a ledger.' : table([head, ...rows])
  return E.right({ status: 0, json: { anchors: json }, text })
}

const eventsIn = ({ checkpoint }: Anchor): number | null => {
  const parsed = parseCheckpoint(checkpoint)
  return E.isLeft(parsed) ? null : Number(parsed.right.size)
}

type Place = {
  readonly transaction_hash: string | null
  readonly ledger: number | null
  readonly closed_at: string | null
  readonly envelope_xdr: string | null
  readonly reason: string | null
}
const nowhere: Place = { transaction_hash: null, ledger: null, closed_at: null, envelope_xdr: null, reason: null }

const placeJson = ({ standing }: Anchor): Place => {
  switch (standing._tag) {
    case 'waiting':
      return nowhere
    case 'sent':
      return { ...nowhere, transaction_hash: standing.transactionHash }
    case 'failed':
      return { ...nowhere, reason: standing.reason }
    case 'anchored': {
      const { transactionHash, ledger, closedAt, envelopeXdr } = standing
      const closed_at = new Date(closedAt).toISOString()
      return { ...nowhere, transaction_hash: transactionHash, ledger, closed_at, envelope_xdr: envelopeXdr }
    }
  }
}

const anchorJson = (anchor: Anchor) => ({
  environment: anchor.environment,
  events: eventsIn(anchor),
  hash: anchor.hash,
  checkpoint: anchor.note,
  status: anchor.standing._tag,
  ...placeJson(anchor),
})
