import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import { FeeBumpTransaction, TransactionBuilder } from '@stellar/stellar-sdk'
import { paymentsOn } from '../kills/books.ts'
import type { Stage } from '../kills/stage.ts'
import { judge as judgeRenewals, type Verdict as Renewals } from '../renewal-kills/verdict.ts'
import { runCommand } from '../restore-kills/command.ts'
import { holders, type KillRun } from './kill-run.ts'

/** The keys that got weight on each account, in order, by the ledger alone. */
const keysGiven = ({ network: { sandbox } }: Stage): ReadonlyMap<string, ReadonlyArray<string>> => {
  const given = new Map<string, ReadonlyArray<string>>()
  for (const { envelope, succeeded } of sandbox.read.transactionsFrom(1, 0, Number.MAX_SAFE_INTEGER)) {
    if (!succeeded) continue
    const parsed = TransactionBuilder.fromXdr(Buffer.from(envelope).toString('base64'), sandbox.networkPassphrase)
    const { source, operations } = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed
    for (const operation of operations) {
      const signer = operation.type === 'setOptions' ? operation.signer : undefined
      if (signer === undefined || !('ed25519PublicKey' in signer) || signer.weight === 0) continue
      const account = operation.source ?? source
      given.set(account, [...(given.get(account) ?? []), String(signer.ed25519PublicKey)])
    }
  }
  return given
}

type Shown = {
  readonly account: string
  readonly signs: string | null
  readonly keys: ReadonlyArray<{ readonly key: string; readonly weight: number }>
  readonly rotation: { readonly to: string; readonly status: string } | null
  readonly proven: boolean
}

/** What the command line shows of all accounts. */
const shownBy = async (stage: Stage): Promise<ReadonlyArray<Shown>> => {
  const shown: Array<Shown> = []
  for (const holder of holders) {
    const { stdout } = await runCommand(stage.dataDir, ['account', 'show', holder])
    shown.push(...JSON.parse(stdout))
  }
  return shown
}

const repeated = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name, index) => names.indexOf(name) !== index)

/** Judges a run by its ledger, then its log, then the command line. */
export const judge = async (stage: Stage, { account, broken }: KillRun) => {
  const { wrong, ...figures }: Renewals = await judgeRenewals(stage)
  const given = keysGiven(stage)
  const shown = await shownBy(stage)
  const database = openDatabase(join(stage.dataDir, 'quittance.db'), { durability: 'full', readOnly: true })
  const refunded = database
    .prepare("SELECT data ->> 'paymentId' AS payment FROM events WHERE type = 'RefundRequested'")
    .all()
    .map(({ payment }) => String(payment))
  database.close()
  const paid = paymentsOn(stage.network.sandbox).filter(({ from }) => from === account).length
  return {
    wrong: {
      ...wrong,
      rotatedTwice: [...given].flatMap(([of, keys]) => repeated(keys).map((key) => `${of}: ${key}`)),
      severalKeys: shown.flatMap(({ account: of, keys, signs }) => {
        const weighed = keys.filter(({ weight }) => weight > 0).map(({ key }) => key)
        const newest = given.get(of)?.at(-1) ?? of
        return weighed.length === 1 && weighed[0] === newest && signs === newest
          ? []
          : [`${of}: ${weighed}, not ${newest}`]
      }),
      notRotated: shown.flatMap(({ account: of, rotation, proven }) =>
        proven || rotation === null || rotation.status === 'failed' ? [] : [`${of} is ${rotation.status}`],
      ),
      refundedTwice: repeated(refunded),
      notRefundedOnce: paid === refunded.length ? [] : [`${refunded.length} refunds, ${paid} payments`],
      refusedCommands: broken,
    },
    ...figures,
    rotated: [...given.values()].flat().length,
  }
}
