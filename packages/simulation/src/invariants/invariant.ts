import type { Services } from '@quittance/billing'
import { filterInTurn } from '@quittance/billing/testing/internals'
import { done } from '@quittance/billing/testing/outcomes'
import { type AccountId, type ContractId, endOf, type TransactionHash } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import type { ClosedLedger } from '@quittance/ledger'
import type { Course } from '../course.ts'
import type { Fixture } from '../fixture.ts'
import type { SimulatedNetwork } from '../network.ts'
import type { Request } from '../requests.ts'

/** The state once everything has settled. */
export type Settled = {
  readonly fixture: Fixture
  readonly network: SimulatedNetwork
  readonly services: Services
  readonly log: SqlDatabase
  readonly requests: ReadonlyArray<Request>
  /** Requests without an answer within the lifetime of their key. */
  readonly givenUp: ReadonlyArray<Request>
  /** Hashes of transactions that paid the account without a reference of ours. */
  readonly unmatchedHashes: ReadonlySet<string>
  /** Access that enemies had on the way and should not have had. */
  readonly wrongAccess: ReadonlySet<string>
  /** Answers that a stranger got by what he had read on the ledger. */
  readonly granted: ReadonlySet<string>
  /** Transactions that were sent although the log had gone back and nobody had accepted that. */
  readonly sentTooEarly: ReadonlySet<string>
  /** How often the log had been put back when each transaction was first sent, by hash. */
  readonly putBackBefore: ReadonlyMap<string, number>
  /** Whether the log was put back to an earlier copy. */
  readonly isPutBack: boolean
  /** The last positions of the log when a process ended, or its store failed. */
  readonly interruptions: ReadonlyArray<bigint>
  /** The last position of the log when a ledger closed. */
  readonly closings: ReadonlyMap<number, bigint>
  readonly course: Course
}

/** A rule that must hold once everything has settled. `broken` describes its violations. */
export type Invariant = {
  readonly rule: string
  readonly broken: (settled: Settled) => Promise<ReadonlyArray<string>>
}

/** Our payments that a closed ledger contains, by our own records. */
export const settledIntents = async ({ services: { readModels } }: Settled) =>
  (await readModels.intents.all()).flatMap(({ row }) => {
    const { action } = row.details
    const end = endOf(row)
    return end?._tag === 'settled' && action._tag === 'payment'
      ? [{ place: end, details: { ...row.details, action } }]
      : []
  })

/** Payments of ours on the ledger of which a restored log does not know any more what they were for. */
export const forgottenPayments = async ({ services: { readModels } }: Settled) =>
  (await readModels.exceptions.all()).flatMap(({ row: { details } }) =>
    (details.paidTo ?? []).map((paid) => ({ ...details, ...paid })),
  )

/** Refunds or payouts that are pending, or not paid as often as their status says. */
export const wronglyPaid = async (
  settled: Settled,
  rows: ReadonlyArray<{ readonly id: string; readonly row: { readonly status: string } }>,
): Promise<ReadonlyArray<string>> => {
  const owners = (await settledIntents(settled)).map(({ details }) => `${details.owner}`)
  return rows.flatMap(({ id, row: { status } }) => {
    const times = owners.filter((owner) => owner === id).length
    return status === 'pending' || times !== (status === 'succeeded' ? 1 : 0)
      ? [`${id} is ${status}, paid ${times} times`]
      : []
  })
}

const ledgersRead = new WeakMap<Settled, Promise<ReadonlyArray<ClosedLedger>>>()

/** All ledgers that a run has closed, in order; read once for all rules. */
export const ledgersOf = (settled: Settled): Promise<ReadonlyArray<ClosedLedger>> => {
  const known = ledgersRead.get(settled) ?? readLedgersOf(settled)
  ledgersRead.set(settled, known)
  return known
}

const readLedgersOf = async ({ network: { gateway }, fixture }: Settled): Promise<ReadonlyArray<ClosedLedger>> => {
  const head = await done(gateway.latestLedger())
  const read: Array<ClosedLedger> = []
  for (let last = fixture.readFrom; ; ) {
    const { ledgers } = await done(gateway.readLedgers(last, 200, null))
    read.push(...[...ledgers].filter(({ sequence }) => read.length === 0 || sequence > last))
    last = read.at(-1)?.sequence ?? head.sequence
    if (last >= head.sequence) return read
  }
}

/** All versions of the mandate contract. */
export const contractsIn = ({ network, fixture: { nextContract } }: Settled): ReadonlySet<ContractId> =>
  new Set([network.contract, ...(nextContract === null ? [] : [nextContract])])

/** Fees of rotations, which a merchant's account pays itself: by transaction, and what they took. */
export const rotationFees = async (settled: Settled, account: AccountId): Promise<ReadonlyMap<string, bigint>> => {
  const { ledgerTransactions, intents } = settled.services.readModels
  // A restored log knows the end of a rotation, and perhaps not its transaction.
  const ended = new Set(
    (await intents.all()).flatMap(({ row }) => {
      const end = row.details.class === 'rotation' ? endOf(row) : null
      return end?._tag === 'settled' ? [end.transactionHash] : []
    }),
  )
  const isRotation = async (hash: TransactionHash) =>
    ended.has(hash) || (await ledgerTransactions.withId(hash))?.row.class === 'rotation'
  const movements = (await ledgersOf(settled)).flatMap((ledger) => ledger.movementsOf(new Set([account])))
  const fees = await filterInTurn(
    movements.filter(({ operationIndex }) => operationIndex === null),
    ({ transactionHash }) => isRotation(transactionHash),
  )
  return new Map(fees.map(({ transactionHash, delta }) => [transactionHash, -delta]))
}

/** Describes a difference, if there is one. Compares JSON with sorted keys. */
export const mismatches = (what: string, found: unknown, expected: unknown): ReadonlyArray<string> => {
  const [one, other] = [found, expected].map(sortedJson)
  return one === other ? [] : [`${what}: ${one} is not ${other}`]
}

export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return `${each}n`
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
  }) ?? 'undefined'
