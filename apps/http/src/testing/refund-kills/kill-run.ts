import { allRecords } from '../all-records.ts'
import { eventually } from '../eventually.ts'
import type { Death } from '../kills/deaths.ts'
import { type Counts, killAll, type Play } from '../kills/kill-all.ts'
import type { Stage } from '../kills/stage.ts'
import { isOfDeadTransaction, isSent, lifetimeMs, troubleFor } from '../kills/trouble.ts'
import { ledgerIsIngested, openSale } from '../sale.ts'
import { fundedWallet, type Wallet } from '../wallet.ts'
import { askFor, isAnswered, sellAll, stray, type Wanted } from './merchant.ts'

/** The events of money that goes back, in their usual order. */
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

/** A shop whose payments are to be given back, and whose payers also send what goes back by itself. */
type Shop = {
  readonly account: string
  readonly wallets: ReadonlyArray<Wallet>
  readonly wanted: ReadonlyArray<Wanted>
}

/** What a run leaves behind, when everything has come to its end. */
export type KillRun = {
  /** The account that the merchant is paid to, and pays from. */
  readonly account: string
  readonly wanted: ReadonlyArray<Wanted>
  /** Every refund that was made. */
  readonly refunds: ReadonlyArray<{ readonly id: string; readonly payment_id: string; readonly status: string }>
  readonly kills: Counts
}

/** Enough for rounds in which a refund has to be asked for again; the rest is asked for in the end. */
const refundsForKill = 2
const payers = 12
const endedWithinMs = 300_000

/** Kills services while they give money back; then two of them bring everything to its end. */
export const killWhileRefunding = async (stage: Stage, kills: number, seed: number): Promise<KillRun> => {
  const service = stage.at(await stage.listening('other'))
  const { destination: account } = await openSale(service)
  const wallets = await Promise.all(Array.from({ length: payers }, () => fundedWallet(stage.network.facts)))
  const wanted = await sellAll(service, wallets, kills * refundsForKill)
  const counts = await killAll(stage, refunding(stage, { account, wallets, wanted }), kills, seed)
  return { account, wanted, refunds: await endedAll(stage, wanted), kills: counts }
}

/** The steps that nothing but a refund comes to; what payers send is lost as well, where all is. */
const isOfRefund = (death: Death): boolean =>
  isOfDeadTransaction(death) || (death._tag === 'append' && /Refund/.test(death.step))

/**
 * The victim is asked for a refund, and whoever else is there for another; payers send what goes back by itself. At later
 * looks so does a payer alone, unless it takes a refund. Where a transaction has to die, time passes as well.
 */
const refunding = (stage: Stage, { account, wallets, wanted }: Shop): Play => {
  const unasked = [...wanted]
  let strays = 0
  return {
    steps: refundSteps,
    troubleFor,
    occasion: async ({ death, ask }, look) => {
      if (isOfDeadTransaction(death) && isSent(stage)) return stage.network.skip(lifetimeMs)
      const payer = wallets[strays % wallets.length]
      strays += 1
      const other = await stage.living('other')?.url
      const asked = look === 0 || isOfRefund(death) ? [ask] : []
      if (look === 0 && other) asked.push(stage.askAt(other))
      const asking = asked.flatMap((at) => unasked.splice(0, 1).map((each) => askFor(at, each)))
      if (payer !== undefined) asking.push(stray(stage.network, payer, account, strays))
      await Promise.all(asking)
    },
  }
}

/** Has two services answer what is not answered yet, waits until no refund is pending and no exception open, asks for all again, and lists the refunds. */
const endedAll = async (stage: Stage, wanted: ReadonlyArray<Wanted>): Promise<KillRun['refunds']> => {
  stage.network.sandbox.faults.set({})
  for (const place of ['one', 'other'] as const) await stage.kill(place)
  const urls = [await stage.listening('one'), await stage.listening('other')]
  const { api, anyone } = stage.at(urls[0] ?? '')
  await eventually(
    async () => {
      const open = wanted.filter((each) => !isAnswered(each))
      await Promise.all(open.map((each, index) => askFor(stage.askAt(urls[index % 2] ?? ''), each)))
      return open.length
    },
    (open) => open === 0,
    endedWithinMs,
  )
  await ledgerIsIngested({ anyone })
  for (const unended of ['/refunds?status=pending&limit=1', '/exceptions?status=open&limit=1'])
    await eventually(
      async () => (await api(unended)).body.data.data,
      (left) => left.length === 0,
      endedWithinMs,
    )
  await Promise.all(wanted.map((each) => askFor(stage.askAt(urls[1] ?? ''), each)))
  // Nothing may be on its way any more: a second payment of what has ended would come now.
  stage.network.skip(lifetimeMs)
  await eventually(
    async () => [...stage.histories('stellartx')].filter(([, types]) => types.at(-1) !== 'TransactionClosed'),
    (left) => left.length === 0,
    endedWithinMs,
  )
  return allRecords({ api }, '/refunds')
}
