import {
  accountSequence,
  asText,
  IntentId,
  type KeyRotationAction,
  LedgerSequence,
  LedgerTransaction,
  stroops,
  type Text,
} from '@quittance/domain'
import {
  heaviestThreshold,
  type OfflineRotation,
  outcomesInLedger,
  readOfflineRotation,
  weightOf,
} from '@quittance/ledger'
import type { Found, IntentRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { leastLeftMs, type Ours, type Outgoing, toTransaction, transactionName } from '../features/outgoing/outgoing.ts'
import { outcomeCommand } from '../features/outgoing/record-outcomes.ts'
import { laterKeysOf } from '../features/outgoing/rotations.ts'
import type { ChannelAccount } from '../features/outgoing/signing-accounts.ts'
import { giveUp } from '../features/outgoing/waiting.ts'
import { allOf } from '../kernel/all-of.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { stepUnless } from '../kernel/step.ts'
import { stepContext } from '../kernel/step-context.ts'
import { pausedIn } from '../services/each-isolated.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import { advance } from './advance.ts'
import { carriedIn } from './carried.ts'

export type OfflineIntent = Found<IntentRow> & { readonly action: KeyRotationAction & { readonly signedOffline: Text } }

/** A rotation whose transaction the recovery key has signed; null for any other intent. */
export const offlineIntent = (found: Found<IntentRow>): OfflineIntent | null => {
  const { action } = found.row.details
  if (action._tag !== 'rotate_key' || action.signedOffline === undefined) return null
  return { ...found, action: { ...action, signedOffline: action.signedOffline } }
}

/**
 * Sends the transaction of an offline rotation as it was signed, or gives the intent up where no ledger can take it any more.
 * Nothing waits for it: what the earlier key has signed meanwhile is signed again.
 */
export const sendOffline = async (
  outgoing: Outgoing,
  channels: ReadonlyArray<ChannelAccount>,
  intent: OfflineIntent,
): Promise<E.Either<ProcessFailure, void>> => {
  const { services, network, ingested, raise } = outgoing
  const { merchantId, environment, action } = intent
  const { source: account } = intent.row.details
  if ((await carriedIn(outgoing, environment))(intent) || (await pausedIn(services, environment, 'attach'))(intent))
    return E.right(undefined)
  const giveUpAs = (code: string) =>
    giveUp(outgoing, environment, [{ intent, reason: 'simulation_failed', code: asText(code) }])
  const signed = readOfflineRotation(action.signedOffline, network.gateway.networkPassphrase)
  if (signed === null || !signed.isSigned || signed.account !== account || signed.to !== action.to)
    return giveUpAs('not_signed')
  if (!(await laterKeysOf(services.vault, environment, account)).includes(action.to)) {
    raise({ _tag: 'CannotSign', account, cause: `the vault lacks ${action.to}, the key to rotate to` })
    return E.right(undefined)
  }
  const end = async (code: string) => {
    // A person may have sent it past the service.
    const found = await network.gateway.lookUp(signed.transactionHash)()
    if (E.isLeft(found)) return found
    if (found.right._tag !== 'Succeeded') return giveUpAs(code)
    return recordHeld(outgoing, channels, intent, signed, found.right.ledger)
  }
  if (ingested.closedAt + leastLeftMs > signed.maxTime) return end('signature_expired')
  const [view, payer] = [
    await network.gateway.accountView(account, [])(),
    await network.gateway.accountView(signed.recoveryKey, [])(),
  ]
  if (E.isLeft(view)) return view
  if (E.isLeft(payer)) return payer
  const used = payer.right?.accountSequence ?? null
  if (used !== null && used >= signed.accountSequence) return end('sequence_used')
  if (
    view.right === null ||
    weightOf(view.right.authority, signed.recoveryKey) < heaviestThreshold(view.right.authority)
  )
    return end('recovery_signer_missing')
  // One that was prepared before it goes first.
  if (used === null || used + 1n < signed.accountSequence) return E.right(undefined)
  const ours: Ours = { merchantId, environment, hash: signed.transactionHash }
  const preparing = prepared(outgoing, intent, signed)
  const recorded = await toTransaction(outgoing, ours, ['TransactionAlreadyPrepared'], 'prepare', preparing)
  return E.isLeft(recorded) ? recorded : advance(outgoing, channels, ours)
}

const prepared = ({ ingested }: Outgoing, { id, action }: OfflineIntent, signed: OfflineRotation) => ({
  type: 'PrepareTransaction' as const,
  envelopeXdr: action.signedOffline,
  sourceAccount: signed.recoveryKey,
  accountSequence: accountSequence(signed.accountSequence),
  maxTime: signed.maxTime,
  preparedAfter: ingested.sequence,
  preparedAt: ingested.closedAt,
  class: 'rotation' as const,
  fee: stroops(signed.fee),
  feeCap: stroops(signed.fee),
  intents: [decodeOrThrow(IntentId, id)],
})

/**
 * Records a transaction that a ledger holds, and that was never sent from here, with its outcome, which settles the
 * rotation. Its ledger may be ingested already, and names the recovery key's account alone. Waits for the ledger that continues it.
 */
const recordHeld = async (
  outgoing: Outgoing,
  channels: ReadonlyArray<ChannelAccount>,
  intent: OfflineIntent,
  signed: OfflineRotation,
  ledger: LedgerSequence,
): Promise<E.Either<ProcessFailure, void>> => {
  const { services, network, ingested } = outgoing
  if (ingested.sequence <= ledger) return E.right(undefined)
  const ours: Ours = { merchantId: intent.merchantId, environment: intent.environment, hash: signed.transactionHash }
  const read = await outcomesInLedger(network.gateway, ours.hash)(ledger)()
  if (E.isLeft(read)) return read
  const outcome = read.right?.outcomes.find(({ _tag }) => _tag === 'Succeeded')
  if (outcome === undefined || read.right?.isContinued !== true) return E.right(undefined)
  const { closedAt } = outcome
  const before = { preparedAfter: decodeOrThrow(LedgerSequence, Math.max(1, ledger - 1)), preparedAt: closedAt }
  const preparing = { ...prepared(outgoing, intent, signed), ...before }
  const context = stepContext(ours, transactionName(ours), 'recover', closedAt)
  const decide = allOf(LedgerTransaction.decider, [preparing, outcomeCommand(outcome, [])])
  const expected = ['TransactionAlreadyPrepared'] as const
  const recorded = await stepUnless(services.store)(expected, LedgerTransaction, ours.hash, context, decide)
  return E.isLeft(recorded) ? recorded : advance(outgoing, channels, ours)
}
