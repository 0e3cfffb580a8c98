import { type Environment, LedgerTransaction, type LedgerTransactionState } from '@quittance/domain'
import type { Faults } from '@quittance/sandbox'
import { fold } from '../kernel/fold.ts'
import { done } from './outcomes.ts'
import type { TestPlatform } from './platform.ts'

/** As on a real network. */
export const ledgerMs = 5_600
/** No ledger takes a lower bid, while fee statistics do not show it and the queue takes everything. */
export const crowded = (base_fee: number): Faults => ({
  fee_surge: { base_fee, accepts_less: true },
  server_error: { methods: ['getFeeStats'] },
})

type Existing = Exclude<LedgerTransactionState, { readonly status: 'absent' }>

/** The bids of one of our transactions. `waits`: how many ledgers each bid had before the next one. */
export type Bidding = {
  readonly hash: string
  readonly class: Existing['details']['class']
  readonly bids: ReadonlyArray<bigint>
  readonly waits: ReadonlyArray<number>
  readonly feeCap: bigint
  readonly end: string | null
  /** After how many ledgers one included it. */
  readonly takenIn: number | null
}

const biddingOf = (hash: string, { details, bumps, ...state }: Existing): Bidding => {
  const after = [details.preparedAfter, ...bumps.map(({ bumpedAfter }) => bumpedAfter ?? Number.NaN)].map(Number)
  return {
    hash,
    class: details.class,
    bids: [details.fee, ...bumps.map(({ fee }) => fee)],
    waits: after.slice(1).map((ledger, at) => ledger - (after[at] ?? Number.NaN)),
    feeCap: details.feeCap,
    end: 'end' in state ? state.end._tag : null,
    takenIn: 'end' in state && state.end._tag === 'succeeded' ? state.end.ledger - details.preparedAfter : null,
  }
}

/** Our released transactions in the order of their preparation. */
export const biddings = async (
  platform: Pick<TestPlatform, 'log' | 'shown'>,
  environment: Environment,
): Promise<ReadonlyArray<Bidding>> => {
  const { ledgerTransactions } = await platform.shown()
  const found: Array<{ readonly at: number; readonly bidding: Bidding }> = []
  for (const { id, environment: its } of await ledgerTransactions.all()) {
    if (its !== environment) continue
    const stream = await done(platform.log.readStream(`${LedgerTransaction.category}-${id}`))
    const state = fold(LedgerTransaction, stream.events)
    if (state.status === 'absent' || state.status === 'prepared') continue
    if ('end' in state && state.end._tag === 'withdrawn') continue
    found.push({ at: state.details.preparedAfter, bidding: biddingOf(id, state) })
  }
  return found.sort((one, other) => one.at - other.at).map(({ bidding }) => bidding)
}
