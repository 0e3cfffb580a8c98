import { assetCode, Intent, type IntentAction, type IntentEvent, type IntentState } from '@quittance/domain'
import { failureCause } from '../../../resources/failure-cause.ts'
import { namedStatus, type Origin, type Told, tellerOf } from '../told.ts'
import { inAsset, inWords, short } from '../words.ts'
import { stream } from './streams.ts'

/** By which name the intent of an owner is followed: its own id depends on the environment. */
const ofOwner = (owner: string): string => `intent of ${owner}`

/** The end of what an owner wanted to move on the ledger. */
export const intentEnds = (owner: string): Origin => ({
  stream: ofOwner(owner),
  types: ['IntentSettled', 'IntentRefused', 'IntentGivenUp'],
})

const wanted = (action: IntentAction): string => {
  switch (action._tag) {
    case 'payment':
      return `pay ${inAsset(action.amount, action.assetId)} to ${short(action.destination)}`
    case 'charge':
      return `charge ${inAsset(action.amount, action.assetId)} to wallet ${short(action.customer)}`
    case 'mandate_cancellation':
      return `end mandate ${short(action.mandateId)}`
    case 'change_trust':
      return `${action.limit === 'remove' ? 'remove' : 'set'} the trustline of ${assetCode(action.assetId)}`
    case 'create_account':
      return `create account ${short(action.account)}`
    case 'rotate_key':
      return `give the account another key`
    case 'set_recovery_signer':
      return `set a recovery key`
    case 'keep_contract':
      return `keep the contract of mandates on the ledger`
    case 'anchor':
      return `put the state of the log on the ledger`
  }
}

const moved = (action: IntentAction): string => {
  switch (action._tag) {
    case 'payment':
      return `the payment of ${inAsset(action.amount, action.assetId)}`
    case 'charge':
      return `the charge of ${inAsset(action.amount, action.assetId)}`
    case 'mandate_cancellation':
      return 'the end of the mandate'
    case 'change_trust':
      return 'the change of the trustline'
    case 'create_account':
      return 'the new account'
    case 'rotate_key':
    case 'set_recovery_signer':
      return 'the change of the key'
    case 'keep_contract':
      return 'the upkeep of the contract'
    case 'anchor':
      return 'the state of the log'
  }
}

const amountOf = (action: IntentAction) =>
  action._tag === 'payment' || action._tag === 'charge' ? { stroops: action.amount, assetId: action.assetId } : null

const giveUps = {
  attempts_exhausted: 'too many transactions came to nothing',
  simulation_failed: 'a simulation found that the contract would refuse it',
  withdrawn: 'nobody wants it any more',
  insufficient_funds: 'the money for it was not there for too long',
  network_reset: 'the network was reset',
} as const

const detachments = {
  withdrawn: 'the transaction was withdrawn before it was sent',
  dead: 'no ledger took the transaction in time',
  another_failed: 'another operation of the transaction failed',
  transaction_failed: 'the transaction failed as a whole',
} as const

/** The name by which the start of a return is followed. */
export const ofReturn = (returnId: string): string => `return ${returnId}`

/** What started it, whatever the owner is. */
const starts = (owner: string): ReadonlyArray<Origin> => [
  { stream: stream.payment(owner), types: ['PaymentOpened'] },
  { stream: stream.refund(owner), types: ['RefundRequested', 'RefundWaitEnded'] },
  { stream: stream.payout(owner), types: ['PayoutRequested'] },
  { stream: ofReturn(owner), types: ['ReturnStarted', 'ReturnWaitEnded'] },
]

/** A contract's number, or the network's own word, for people. */
const answer = (code: string): string => (/^\d+$/.test(code) ? inWords(failureCause(code, null)) : code)

const words = (event: IntentEvent, state: IntentState, id: string): Told => {
  const details = state.status === 'absent' ? null : state.details
  const owner = details?.owner ?? id
  const amount = details === null ? null : amountOf(details.action)
  const own = (...types: ReadonlyArray<IntentEvent['type']>): Origin => ({ stream: ofOwner(owner), types })
  const it = details === null ? 'it' : moved(details.action)
  const common = { names: [owner], alsoIn: ofOwner(owner) }
  switch (event.type) {
    case 'IntentRecorded':
      return { ...common, what: `Decided to ${wanted(event.data.action)}`, amount, follows: starts(owner) }
    case 'IntentAttached':
      return {
        ...common,
        what: `Transaction ${short(event.data.transactionHash)} was made for ${it}`,
        transactionHash: event.data.transactionHash,
        follows: [own('IntentRecorded', 'IntentDetached')],
      }
    case 'IntentDetached':
      return {
        ...common,
        what: `Transaction ${short(event.data.transactionHash)} will not bring ${it}`,
        why: detachments[event.data.reason],
        transactionHash: event.data.transactionHash,
        follows: [own('IntentAttached')],
        root: 'ledger',
      }
    case 'IntentSettled':
      return {
        ...common,
        what: `Ledger ${event.data.ledger} holds ${it}`,
        why: 'the transaction succeeded',
        amount,
        transactionHash: event.data.transactionHash,
        ledger: event.data.ledger,
        follows: [own('IntentAttached')],
        root: 'ledger',
      }
    case 'IntentRefused':
      return {
        ...common,
        what: `Ledger ${event.data.ledger} refused ${it}`,
        why: `the network's answer: ${answer(event.data.code)}`,
        amount,
        transactionHash: event.data.transactionHash,
        ledger: event.data.ledger,
        follows: [own('IntentAttached')],
        root: 'ledger',
      }
    case 'IntentGivenUp':
      return {
        ...common,
        what: `${it.charAt(0).toUpperCase()}${it.slice(1)} is not sent any more`,
        why: `${giveUps[event.data.reason]}${event.data.code === undefined ? '' : `: ${answer(event.data.code)}`}`,
        amount,
        follows: [own('IntentRecorded', 'IntentDetached')],
      }
    case 'IntentReported':
      return {
        ...common,
        what: `The end of ${it} was reported to what had wanted it`,
        follows: [intentEnds(owner)],
      }
  }
}

export const intentTeller = tellerOf(Intent, words, namedStatus)
