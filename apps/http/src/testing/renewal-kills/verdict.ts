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

type Network = Pick<Stage['network'], 'sandbox' | 'facts'>

/** All charges of renewals in closed ledgers. */
const renewalsOn = async (network: Network): Promise<ReadonlyArray<MandateCharged>> =>
  renewalsAmong(await chargesOn(network))

/** Those of renewals: they refer to a payment. */
export const renewalsAmong = (charges: ReadonlyArray<MandateCharged>): ReadonlyArray<MandateCharged> =>
  charges.filter(({ reference }) => PaymentId.is(reference))

/** All charges in closed ledgers. */
export const chargesOn = async ({ sandbox, facts }: Network): Promise<ReadonlyArray<MandateCharged>> => {
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
        .filter((fact) => fact._tag === 'MandateCharged'),
    )
    last = ledgers.at(-1)?.sequence ?? latest.sequence
  }
  return charges
}

/** An event with the stream that it is in. */
export type Written = { readonly stream: string; readonly data: Readonly<Record<string, unknown>> }

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
  const { wrong, ...figures } = judgeCharges(await renewalsOn(stage.network), (type) => eventsOf(dataDir, type))
  return {
    wrong: {
      ...wrong,
      stuck: stuckIn(stage),
      notEndedOnce: notEndedOnce(stage),
      notProven: await notProven(dataDir),
    },
    ...figures,
  }
}

/** Compares all charges of renewals on the ledger with the events of each type in the log. */
export const judgeCharges = (
  charges: ReadonlyArray<MandateCharged>,
  eventsOf: (type: string) => ReadonlyArray<Written>,
): Verdict => {
  const confirmed = eventsOf('ChargeConfirmed')
  const aside = eventsOf('PaymentSetAside')
  const told = [...confirmed, ...aside]
  const onLedger = charges.map(({ reference, transactionHash, amount }) => `${reference} ${transactionHash} ${amount}`)
  const inBooks = told.map(({ data }) => `${data.paymentId} ${data.transactionHash} ${data.amount}`)
  const forgiven = eventsOf('PeriodsForgiven').flatMap(({ stream, data }) =>
    Array.from(
      { length: Number(data.to) - Number(data.from) + 1 },
      (_, index) => `${stream} ${Number(data.from) + index}`,
    ),
  )
  const claimed = eventsOf('ReturnClaimed').map(({ stream }) => stream.slice(`${Payment.category}-`.length))
  const opened = eventsOf('ExceptionOpened').map(({ stream }) => stream)
  const resolved = eventsOf('ExceptionResolved').map(({ stream }) => stream)
  const settled = eventsOf('InvoiceSettled')
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
      notInTheBooks: missing(onLedger, inBooks),
      notOnTheLedger: missing(inBooks, onLedger),
    },
    subscriptions: new Set(eventsOf('SubscriptionStarted').map(({ stream }) => stream)).size,
    charged: charges.length,
    invoiced: settled.length,
    givenBack: claimed.length,
    forgiven: forgiven.length,
    failed: eventsOf('ChargeFailed').length,
  }
}
