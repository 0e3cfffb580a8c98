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

type CommandFor = (ours: Ours, end: TransactionEnd, index: number) => IntentCommand

/** What the intent at a place of a transaction is told of its end. `count` is how many intents the transaction carries. */
export const commandFor = (of: IntentClass, count: number): CommandFor => {
  switch (of) {
    case 'charge':
      return chargeCommand
    case 'set_up':
      return (ours, end, index) => paymentCommand(ours, withoutSponsorship(end, count), index)
    case 'refund':
    case 'return':
    case 'payout':
    case 'cancellation':
      return paymentCommand
  }
}

/** The end of what was set up, without the operations around it that begin and end a sponsorship. */
const withoutSponsorship = (end: TransactionEnd, count: number): TransactionEnd =>
  end._tag === 'failed' && end.operationCodes.length === count + 2
    ? { ...end, operationCodes: end.operationCodes.slice(1, -1) }
    : end

/**
 * Whether the contract has refused a charge of a call in the newest ledger that was ingested: as a failure, that is acted
 * upon once the next ledger names the one that holds it.
 */
export const isRefusalOpen = (end: TransactionEnd, ingested: LedgerHead): boolean =>
  end._tag === 'succeeded' && end.answers?.some((answer) => answer !== 0) === true && ingested.sequence <= end.ledger

const letGoOf = ({ hash }: Ours, reason: DetachReason): IntentCommand => ({
  type: 'DetachIntent',
  transactionHash: hash,
  reason,
})

/**
 * The end of a charge is the contract's answer to it. Where that is not known, it is charged again: of one period, the
 * contract takes the same reference once. A call that failed as a whole says nothing of any of them.
 */
const chargeCommand: CommandFor = (ours, end, index) => {
  if (end._tag !== 'succeeded') {
    const as = endedAs(end)
    return letGoOf(ours, as === 'withdrawn' || as === 'dead' ? as : 'transaction_failed')
  }
  const { transactionHash, ledger, closedAt, answers } = end
  const answer = answers?.[index]
  const operationIndex = decodeOrThrow(OperationIndex, index)
  const place = { attachedTo: ours.hash, transactionHash, operationIndex, ledger, closedAt }
  if (answer === undefined) return letGoOf(ours, 'transaction_failed')
  if (answer === 0) return { type: 'SettleIntent', ...place }
  return { type: 'RefuseIntent', ...place, code: asText(answer.toString()) }
}

const paymentCommand: CommandFor = (ours, end, index) => {
  const { hash } = ours
  const operationIndex = decodeOrThrow(OperationIndex, index)
  const letGo = (reason: DetachReason) => letGoOf(ours, reason)
  switch (end._tag) {
    case 'withdrawn':
    case 'dead':
      return letGo(end._tag)
    case 'succeeded': {
      const { transactionHash, ledger, closedAt } = end
      return { type: 'SettleIntent', attachedTo: hash, transactionHash, operationIndex, ledger, closedAt }
    }
    case 'decided': {
      const { closedAt } = end
      if (end.as !== 'succeeded') return letGo(end.as === 'dead' ? 'dead' : 'transaction_failed')
      return {
        type: 'SettleIntent',
        attachedTo: hash,
        transactionHash: hash,
        operationIndex,
        ledger: end.ledger,
        closedAt,
      }
    }
    case 'failed': {
      const { transactionHash, ledger, closedAt, operationCodes } = end
      const code = operationCodes[index]
      if (code === undefined || operationCodes.every((each) => classifyOperation(each) === null))
        return letGo('transaction_failed')
      if (classifyOperation(code) === null) return letGo('another_failed')
      return { type: 'RefuseIntent', attachedTo: hash, transactionHash, operationIndex, ledger, closedAt, code }
    }
  }
}
