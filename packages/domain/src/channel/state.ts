import * as t from 'io-ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { TransactionHash } from '../shared/incoming-payment.ts'
import type { ChannelEvent } from './events.ts'

/** `takers`: all transactions that ever held the number; `freedBy`: those that can never take it. */
const channel = { takers: t.readonlyArray(TransactionHash), freedBy: t.readonlyArray(TransactionHash) }
const held = { ...channel, by: TransactionHash }
/** What the events of its stream say about a channel account. */
export const ChannelState = byStatus({ free: channel, taken: held, used: held }, 'ChannelState')
export type ChannelState = t.TypeOf<typeof ChannelState>

export const initial: ChannelState = { status: 'free', takers: [], freedBy: [] }

export const evolve = (state: ChannelState, { type, data: { transactionHash: by } }: ChannelEvent): ChannelState => {
  const { takers, freedBy } = state
  switch (type) {
    case 'SequenceTaken':
      if (state.status !== 'free') throw new CorruptStream(type, state.status)
      return { status: 'taken', by, takers: [...takers, by], freedBy }
    case 'SequenceFreed': {
      const fenced = [...freedBy, by]
      return state.status === 'taken' && state.by === by
        ? { status: 'free', takers, freedBy: fenced }
        : { ...state, freedBy: fenced }
    }
    case 'SequenceUsed':
      return { status: 'used', by, takers, freedBy }
  }
}
