import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { ChannelCommand } from './commands.ts'
import type { ChannelEvent } from './events.ts'
import type { ChannelRejection } from './rejections.ts'
import type { ChannelState } from './state.ts'

type Decision = E.Either<ChannelRejection, ReadonlyArray<ChannelEvent>>

const take = (by: ChannelEvent['data'], state: ChannelState): Decision => {
  const { transactionHash } = by
  switch (state.status) {
    case 'free':
      return state.freedBy.includes(transactionHash)
        ? E.left({ _tag: 'SequenceWasFreed', transactionHash })
        : E.right([{ type: 'SequenceTaken', data: by }])
    case 'taken':
      return state.by === transactionHash ? nothing : E.left({ _tag: 'SequenceIsTaken', by: state.by })
    case 'used':
      return state.by === transactionHash ? nothing : E.left({ _tag: 'SequenceIsUsed', by: state.by })
  }
}

/** Also where the transaction does not hold it: a late step must not take it any more. */
const free = (by: ChannelEvent['data'], state: ChannelState): Decision =>
  state.status === 'used' || state.freedBy.includes(by.transactionHash)
    ? nothing
    : E.right([{ type: 'SequenceFreed', data: by }])

/** Even if another transaction holds it: that the ledger holds this transaction is a fact. */
const use = (by: ChannelEvent['data'], state: ChannelState): Decision => {
  if (state.status !== 'used') return E.right([{ type: 'SequenceUsed', data: by }])
  return state.by === by.transactionHash ? nothing : E.left({ _tag: 'SequenceIsUsed', by: state.by })
}

export const decide =
  ({ type, ...by }: ChannelCommand) =>
  (state: ChannelState): Decision => {
    switch (type) {
      case 'TakeSequence':
        return take(by, state)
      case 'FreeSequence':
        return free(by, state)
      case 'UseSequence':
        return use(by, state)
    }
  }
