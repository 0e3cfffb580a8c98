import {
  asText,
  type DetachReason,
  endedAs,
  type IntentClass,
  type IntentCommand,
  OperationIndex,
  type TransactionEnd,
} from '@quittance/domain'
import { classifyOperation, type LedgerHead } from '@quittance/ledger'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { Ours } from './outgoing.ts'

/** An operation of an account whose signers have changed since it was signed: it is signed again. */
const signersChanged = 'opBadAuth'

const hasFailed = (code: string): boolean => classifyOperation(code) !== null

type CommandFor = (ours: Ours, end: TransactionEnd, index: number) => IntentCommand

/** The command that ends an intent by the end of its transaction, which carries `count` intents. */
export const commandFor = (of: IntentClass, count: number): CommandFor => {
  switch (of) {
    case 'charge':
      return chargeCommand
    case 'set_up':
      return (ours, end, index) => paymentCommand(ours, withoutSponsorship(end, count), index)
    case 'rotation':
      return (ours, end) => paymentCommand(ours, asOneOperation(end), 0)
    case 'refund':
    case 'return':
    case 'payout':
    case 'cancellation':
    case 'upkeep':
    case 'anchor':
      return paymentCommand
  }
}

/** The end of a set-up, without the operations around it that begin and end a sponsorship. */
const withoutSponsorship = (end: TransactionEnd, count: number): TransactionEnd =>
  end._tag === 'failed' && end.operationCodes.length === count + 2
    ? { ...end, operationCodes: end.operationCodes.slice(1, -1) }
    : end

/** The end of the only intent of a transaction, whose operations fail together. */
const asOneOperation = (end: TransactionEnd): TransactionEnd => {
  if (end._tag !== 'failed') return end
  const { operationCodes } = end
  return { ...end, operationCodes: operationCodes.filter(hasFailed).slice(0, 1) }
}

/**
 * Whether the contract refused a charge of a call in the newest ingested ledger. As with a failure, the refusal is acted
 * upon once the next ledger continues that one.
 */
export const isRefusalOpen = (end: TransactionEnd, ingested: LedgerHead): boolean =>
  end._tag === 'succeeded' && end.answers?.some((answer) => answer !== 0) === true && ingested.sequence <= end.ledger

const detach = ({ hash }: Ours, reason: DetachReason): IntentCommand => ({
  type: 'DetachIntent',
  transactionHash: hash,
  reason,
})

/**
 * A charge ends by the contract's answer to it. Without an answer, it is charged again: in one period, the contract accepts
 * the same reference once. The failure of a whole call says nothing about its charges.
 */
const chargeCommand: CommandFor = (ours, end, index) => {
  if (end._tag !== 'succeeded') {
    const as = endedAs(end)
    return detach(ours, as === 'withdrawn' || as === 'dead' ? as : 'transaction_failed')
  }
  const { transactionHash, ledger, closedAt, answers } = end
  const answer = answers?.[index]
  const operationIndex = decodeOrThrow(OperationIndex, index)
  const inLedger = { attachedTo: ours.hash, transactionHash, operationIndex, ledger, closedAt }
  if (answer === undefined) return detach(ours, 'transaction_failed')
  if (answer === 0) return { type: 'SettleIntent', ...inLedger }
  return { type: 'RefuseIntent', ...inLedger, code: asText(answer.toString()) }
}

const paymentCommand: CommandFor = (ours, end, index) => {
  const { hash } = ours
  const operationIndex = decodeOrThrow(OperationIndex, index)
  switch (end._tag) {
    case 'withdrawn':
    case 'dead':
      return detach(ours, end._tag)
    case 'succeeded': {
      const { transactionHash, ledger, closedAt } = end
      return { type: 'SettleIntent', attachedTo: hash, transactionHash, operationIndex, ledger, closedAt }
    }
    case 'decided': {
      const { closedAt } = end
      if (end.as !== 'succeeded') return detach(ours, end.as === 'dead' ? 'dead' : 'transaction_failed')
      const { ledger } = end
      return { type: 'SettleIntent', attachedTo: hash, transactionHash: hash, operationIndex, ledger, closedAt }
    }
    case 'failed': {
      const { transactionHash, ledger, closedAt, operationCodes } = end
      const code = operationCodes[index]
      if (code === undefined || !operationCodes.some(hasFailed) || code === signersChanged)
        return detach(ours, 'transaction_failed')
      if (!hasFailed(code)) return detach(ours, 'another_failed')
      return { type: 'RefuseIntent', attachedTo: hash, transactionHash, operationIndex, ledger, closedAt, code }
    }
  }
}
