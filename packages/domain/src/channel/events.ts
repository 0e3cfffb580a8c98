import type * as t from 'io-ts'
import { fact, facts } from '../shared/fact.ts'
import { TransactionHash } from '../shared/incoming-payment.ts'
import { strict } from '../shared/strict.ts'

const transaction = strict({ transactionHash: TransactionHash })

// One sequence number of one account: its stream's name holds both.
export const ChannelEvent = facts([
  fact('SequenceTaken', transaction),
  // Of a transaction that does not hold it, this is a fence: that one can never take it later.
  fact('SequenceFreed', transaction),
  fact('SequenceUsed', transaction),
])
export type ChannelEvent = t.TypeOf<typeof ChannelEvent>
