import { join } from 'node:path'
import { ContractId, LedgerSequence, Payment, PaymentId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase } from '@quittance/event-store/sqlite'
import { type MandateCharged, rpcGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { notEndedOnce, notProven } from '../kills/proofs.ts'
import type { Stage } from '../kills/stage.ts'
import { stuckIn } from './stuck.ts'

/** Sentences about what is wrong after a run, none when all is well, and counts of what could go wrong. */
export type Verdict = {
  readonly wrong: Readonly<Record<string, ReadonlyArray<string>>>
  readonly subscriptions: number
  readonly charged: number
  readonly invoiced: number
  readonly givenBack: number
  readonly forgiven: number
  readonly failed: number
}

/** All charges in closed ledgers. */
const chargesOn = async ({ network: { sandbox, facts } }: Stage): Promise<ReadonlyArray<MandateCharged>> => {
  const { rpc_url: url, network_passphrase: networkPassphrase } = facts
  const gateway = rpcGateway({ url, networkPassphrase, timeoutMs: 60_000 })
  const contracts = new Set([decoded(ContractId, sandbox.mandateContract)])
  const charges: Array<MandateCharged> = []
  const { latest } = sandbox.read.range()
  for (let last = 2; last < latest.sequence; ) {
    const batch = await gateway.readLedgers(decoded(LedgerSequence, last), 200, null)()
    if (E.isLeft(batch)) throw new Error(batch.left._tag)
    const ledgers = [...batch.right.ledgers]
    charges.push(
      ...ledgers
        .filter(({ sequence }) => sequence > last)
        .flatMap((ledger) => ledger.mandatesOf(contracts))
        .filter((fact) => fact._tag === 'MandateCharged')
        .filter(({ reference }) => PaymentId.is(reference)),
    )
    last = ledgers.at(-1)?.sequence ?? latest.sequence
  }
  return charges
}

type Written = { readonly stream: string; readonly data: Readonly<Record<string, unknown>> }

const eventsOf = (dataDir: string, type: string): ReadonlyArray<Written> => {
  const database = openDatabase(join(dataDir, 'quittance.db'), { durability: 'full', readOnly: true })
  const rows = database.prepare('SELECT stream, data FROM events WHERE type = ? ORDER BY position').all(type)
  database.close()
  return rows.map(({ stream, data }) => ({ stream: String(stream), data: JSON.parse(String(data)) }))
}

const repeated = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name, index) => names.indexOf(name) !== index)
const missing = (names: ReadonlyArray<string>, from: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set(from)
  return names.filter((name) => !known.has(name))
}

/** Periods before a paid one that were neither paid nor forgiven. */
const leftOut = (paid: ReadonlyArray<string>, forgiven: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set([...paid, ...forgiven])
  return paid.flatMap((period) => {
    const [stream, n] = period.split(' ')
    const before = `${stream} ${Number(n) - 1}`
    return n === '1' || known.has(before) ? [] : [before]
  })
}

/** Judges a run by its ledger, then its log, then the proofs of the command line. */
export const judge = async (stage: Stage): Promise<Verdict> => {
  const { dataDir } = stage
  const charges = await chargesOn(stage)
  const confirmed = eventsOf(dataDir, 'ChargeConfirmed')
  const aside = eventsOf(dataDir, 'PaymentSetAside')
  const told = [...confirmed, ...aside]
  const onLedger = charges.map(({ reference, transactionHash, amount }) => `${reference} ${transactionHash} ${amount}`)
  const inBooks = told.map(({ data }) => `${data.paymentId} ${data.transactionHash} ${data.amount}`)
  const forgiven = eventsOf(dataDir, 'PeriodsForgiven').flatMap(({ stream, data }) =>
    Array.from(
      { length: Number(data.to) - Number(data.from) + 1 },
      (_, index) => `${stream} ${Number(data.from) + index}`,
    ),
  )
  const claimed = eventsOf(dataDir, 'ReturnClaimed').map(({ stream }) => stream.slice(`${Payment.category}-`.length))
  const opened = eventsOf(dataDir, 'ExceptionOpened').map(({ stream }) => stream)
  const resolved = eventsOf(dataDir, 'ExceptionResolved').map(({ stream }) => stream)
  const settled = eventsOf(dataDir, 'InvoiceSettled')
  const periods = [...confirmed, ...settled].map(({ stream, data }) => `${stream} ${data.n}`)
  return {
    wrong: {
      chargedTwice: repeated(charges.map(({ mandate, periodStart }) => `${mandate} ${periodStart}`)),
      paidForTwice: repeated(periods),
      forgivenAndCharged: periods.filter((period) => forgiven.includes(period)),
      leftOut: leftOut(periods, forgiven),
      notGivenBack: [
        ...missing(
          aside.map(({ data }) => String(data.paymentId)),
          claimed,
        ),
        ...missing(opened, resolved),
      ],
      givenBackTwice: repeated([...claimed, ...resolved]),
      stuck: stuckIn(stage),
      notInTheBooks: missing(onLedger, inBooks),
      notOnTheLedger: missing(inBooks, onLedger),
      notEndedOnce: notEndedOnce(stage),
      notProven: await notProven(dataDir),
    },
    subscriptions: new Set(eventsOf(dataDir, 'SubscriptionStarted').map(({ stream }) => stream)).size,
    charged: charges.length,
    invoiced: settled.length,
    givenBack: claimed.length,
    forgiven: forgiven.length,
    failed: eventsOf(dataDir, 'ChargeFailed').length,
  }
}
