import { hourMs } from '@quittance/domain'
import type { Ask } from '../kills/ask.ts'
import type { Death } from '../kills/deaths.ts'
import { type Counts, killAll, type Play } from '../kills/kill-all.ts'
import type { Stage } from '../kills/stage.ts'
import { isOfDeadTransaction, troubleFor } from '../kills/trouble.ts'
import { join } from '../renewal-kills/joining.ts'
import { endAll } from '../renewal-kills/kill-run.ts'
import { pass, passUntilDead } from '../renewal-kills/time.ts'
import { runCommand } from '../restore-kills/command.ts'
import { openSale } from '../sale.ts'

/** The events of a rotation in their usual order, those of one whose transaction dies, and those of charges beside it. */
const rotationSteps = [
  'IntentRecorded',
  'TransactionPrepared',
  'SequenceTaken',
  'IntentAttached',
  'TransactionReleased',
  'TransactionSucceeded',
  'SequenceUsed',
  'IntentSettled',
  'TransactionClosed',
  'IntentReported',
  'TransactionDied',
  'SequenceFreed',
  'IntentDetached',
  'ChargeAttempted',
  'ChargeConfirmed',
  'RefundSucceeded',
]

/** The accounts whose keys are rotated, in turn. */
export const holders = ['operator', 'settlement', 'channels'] as const

const isOfRefund = (death: Death): boolean => death._tag === 'append' && death.step === 'RefundSucceeded'

const people = 4
const dayMs = 24 * hourMs
/** The command line needs much of this to load. */
const longestCommandMs = 3_500

/** The facts of a completed run. `rotations`: how many commands were answered; `refunds`: how many were requested. */
export type KillRun = {
  readonly account: string
  readonly kills: Counts
  readonly rotations: number
  readonly refunds: number
  /** Rules that a command has broken. */
  readonly broken: ReadonlyArray<string>
}

/**
 * Kills services, and the commands that rotate keys, while subscriptions renew and renewals are refunded; then two services
 * complete everything.
 */
export const killWhileRotating = async (stage: Stage, kills: number, seed: number): Promise<KillRun> => {
  const url = await stage.listening('other')
  const ask = stage.askAt(url)
  const { destination: account } = await openSale(stage.at(url))
  const plan = { name: 'A club', type: 'subscription', currency_code: 'USD', recurring_period: 'day', price_amount: 1 }
  const product = (await ask('/product', { body: plan }))?.body.data.id
  await Promise.all(Array.from({ length: people }, () => join(stage, ask, product)))
  const counts: Record<string, number> = {}
  const broken: Array<string> = []
  const asked = new Set<string>()
  let rotations = 0
  const refundOne = async (at: Ask): Promise<void> => {
    const paid = await at('/payments?limit=20')
    const payments: ReadonlyArray<{ readonly id: string }> = paid?.body.data?.data ?? []
    const payment = payments.find(({ id }) => !asked.has(id))
    if (payment === undefined) return
    asked.add(payment.id)
    await at('/refunds', { body: { payment_id: payment.id }, key: payment.id })
  }
  const play: Play = {
    steps: rotationSteps,
    troubleFor,
    occasion: async ({ death, number, drawn, ask }, look) => {
      if (look === 0) {
        // Every third command is killed too.
        const commandDeath = number % 3 === 2 ? { _tag: 'moment' as const, afterMs: drawn * longestCommandMs } : null
        const words = ['account', 'rotate', holders[number % holders.length] ?? '', '--wait', '0']
        const [command] = await Promise.all([runCommand(stage.dataDir, words, commandDeath), refundOne(ask)])
        if (command.isKilled) counts['a command that rotates'] = (counts['a command that rotates'] ?? 0) + 1
        else if (command.status === 0) rotations += 1
        // A channel account may not be set up yet.
        else if (!command.stderr.includes('account_not_on_ledger') && !command.stdout.includes('account_not_on_ledger'))
          broken.push(`rotating was answered ${command.status}: ${command.stdout}${command.stderr}`)
      }
      // The step may need a payment that the next day brings.
      if (look > 0 && isOfRefund(death)) await refundOne(ask)
      if (isOfDeadTransaction(death)) passUntilDead(stage, dayMs)
      else pass(stage, dayMs, look)
    },
  }
  const killed = await killAll(stage, play, kills, seed)
  await endAll(stage)
  return { account, kills: { ...killed, ...counts }, rotations, refunds: asked.size, broken }
}
