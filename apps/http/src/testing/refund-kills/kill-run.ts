import { allRecords } from '../all-records.ts'
import { eventually } from '../eventually.ts'
import type { Death } from '../kills/deaths.ts'
import { type Counts, killAll, type Play } from '../kills/kill-all.ts'
import type { Stage } from '../kills/stage.ts'
import { isOfDeadTransaction, letDie, lifetimeMs, troubleFor } from '../kills/trouble.ts'
import { ledgerIsIngested, openSale } from '../sale.ts'
import { fundedWallet, type Wallet } from '../wallet.ts'
import { askFor, isAnswered, sellAll, stray, type Wanted } from './merchant.ts'

/** The events of refunds and returns, in their usual order. */
const refundSteps: ReadonlyArray<string> = [
  'RefundClaimed',
  'RefundRequested',
  'ReturnStarted',
  'IntentRecorded',
  'TransactionPrepared',
  'SequenceTaken',
  'IntentAttached',
  'TransactionReleased',
  'TransactionSucceeded',
  'SequenceUsed',
  'IntentSettled',
  'TransactionClosed',
  'RefundSucceeded',
  'PaymentRefunded',
  'ExceptionResolved',
  'IntentReported',
  'TransactionDied',
  'SequenceFreed',
  'IntentDetached',
]

/** A shop with payments to refund, whose payers also send money that is returned. */
type Shop = {
  readonly account: string
  readonly wallets: ReadonlyArray<Wallet>
  readonly wanted: ReadonlyArray<Wanted>
}

/** The facts of a completed run. */
export type KillRun = {
  /** The merchant's account, for incoming and outgoing money. */
  readonly account: string
  readonly wanted: ReadonlyArray<Wanted>
  /** All refunds. */
  readonly refunds: ReadonlyArray<{
    readonly id: string
    readonly payment_id: string
    readonly status: string
    readonly failure_reason: string | null
  }>
  readonly kills: Counts
}

/** Enough for rounds that need several refunds; the end asks for the rest. */
export const refundsForKill = 3
const payers = 12
const endedWithinMs = 300_000

/** Kills services while they pay refunds; then two of them complete everything. */
export const killWhileRefunding = async (stage: Stage, kills: number, seed: number): Promise<KillRun> => {
  const service = stage.at(await stage.listening('other'))
  const { destination: account } = await openSale(service)
  const wallets = await Promise.all(Array.from({ length: payers }, () => fundedWallet(stage.network.facts)))
  const wanted = await sellAll(service, wallets, kills * refundsForKill)
  const counts = await killAll(stage, refunding(stage, { account, wallets, wanted }), kills, seed)
  return { account, wanted, refunds: await endedAll(stage, wanted), kills: counts }
}

/** Whether only a refund leads to this step. When all transactions are lost, payments to the merchant are lost too. */
const isOfRefund = (death: Death): boolean =>
  isOfDeadTransaction(death) || (death._tag === 'append' && /Refund/.test(death.step))

const endsOfRefunds = ['RefundSucceeded', 'RefundFailed']

const isRefundUnderWay = ({ histories }: Stage): boolean =>
  [...histories('refund').values()].some((types) => !types.some((type) => endsOfRefunds.includes(type)))

/**
 * Asks the victim for a refund, and any other service for another; payers send money that is returned. Later looks add
 * one such payment alone, unless the step needs a refund and none is under way. Where a transaction has to die, time
 * passes as well.
 */
const refunding = (stage: Stage, { account, wallets, wanted }: Shop): Play => {
  const unasked = [...wanted]
  let strays = 0
  return {
    steps: refundSteps,
    troubleFor,
    occasion: async ({ death, ask }, look) => {
      if (isOfDeadTransaction(death) && letDie(stage)) return
      const payer = wallets[strays % wallets.length]
      strays += 1
      const other = await stage.living('other')?.url
      const asked = look === 0 || (isOfRefund(death) && !isRefundUnderWay(stage)) ? [ask] : []
      if (look === 0 && other) asked.push(stage.askAt(other))
      const asking = asked.flatMap((at) => unasked.splice(0, 1).map((each) => askFor(at, each)))
      if (payer !== undefined) asking.push(stray(stage.network, payer, account, strays))
      await Promise.all(asking)
    },
  }
}

/**
 * Lets two services answer all open requests, waits until no refund is pending and no exception open, asks for all
 * refunds again, which makes new ones where the first were given up, and lists them.
 */
const endedAll = async (stage: Stage, wanted: ReadonlyArray<Wanted>): Promise<KillRun['refunds']> => {
  stage.network.sandbox.faults.set({})
  for (const place of ['one', 'other'] as const) await stage.kill(place)
  const urls = [await stage.listening('one'), await stage.listening('other')]
  const { api, url } = stage.at(urls[0] ?? '')
  await eventually(
    async () => {
      const open = wanted.filter((each) => !isAnswered(each))
      await Promise.all(open.map((each, index) => askFor(stage.askAt(urls[index % 2] ?? ''), each)))
      return open.length
    },
    (open) => open === 0,
    endedWithinMs,
  )
  await ledgerIsIngested({ url })
  const allEnded = async (): Promise<void> => {
    for (const unended of ['/refunds?status=pending&limit=1', '/exceptions?status=open&limit=1'])
      await eventually(
        async () => {
          const { data } = (await api(unended)).body.data
          // A return that was given up waits for a person, who lets it go again.
          for (const { id, decision_needed } of data)
            if (decision_needed === 'not_sent') await api(`/exceptions/${id}/resolve`, { body: { action: 'refund' } })
          return data
        },
        (left) => left.length === 0,
        endedWithinMs,
      )
  }
  await allEnded()
  await Promise.all(wanted.map((each) => askFor(stage.askAt(urls[1] ?? ''), each)))
  await allEnded()
  // Nothing may still be under way: a second payment would come now.
  stage.network.skip(lifetimeMs)
  await eventually(
    async () => [...stage.histories('stellartx')].filter(([, types]) => types.at(-1) !== 'TransactionClosed'),
    (left) => left.length === 0,
    endedWithinMs,
  )
  return allRecords({ api }, '/refunds')
}
