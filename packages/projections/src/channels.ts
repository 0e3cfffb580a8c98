import { AccountId, AccountSequence, Channel, channelOf, type RecordedEvent, TransactionHash } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** A sequence number of an account, and the transaction that has it. */
export const ChannelRow = t.strict({
  account: AccountId,
  sequence: AccountSequence,
  status: t.keyof({ free: null, taken: null, used: null }),
  by: t.union([t.null, TransactionHash]),
})
export type ChannelRow = t.TypeOf<typeof ChannelRow>

const decode = decodedBy(Channel)

const fold = (row: O.Option<ChannelRow>, recorded: RecordedEvent): O.Option<ChannelRow> => {
  const { type, data } = decode(recorded)
  const by = data.transactionHash
  const named = channelOf(recorded.stream.slice(Channel.category.length + 1))
  switch (type) {
    case 'SequenceTaken':
      return O.some({ ...named, status: 'taken', by })
    case 'SequenceUsed':
      return O.some({ ...named, status: 'used', by })
    case 'SequenceFreed': {
      const known: ChannelRow = O.getOrElse((): ChannelRow => ({ ...named, status: 'free', by: null }))(row)
      return O.some(known.status === 'taken' && known.by === by ? { ...known, status: 'free', by: null } : known)
    }
  }
}

/** An account stands where a customer would, so that its numbers are listed, the highest first. */
export const channels: ReadModel<ChannelRow> = {
  name: 'channels',
  version: 1,
  category: Channel.category,
  row: ChannelRow,
  fold,
  columns: ({ account, status }) => ({ customerId: account, status }),
}
