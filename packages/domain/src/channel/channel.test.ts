import { accountSequence } from '../shared/account-sequence.ts'
import { hashOf, merchantAccount } from '../testing/examples.ts'
import { type Outcomes, outcomeTable } from '../testing/outcome-table.ts'
import { scenario } from '../testing/scenario.ts'
import { Channel, type ChannelCommand, type ChannelEvent, type ChannelState, channelId, channelOf } from './index.ts'

const { given } = scenario(Channel.decider)
const [one, other] = [hashOf(1), hashOf(2)]
const take: ChannelCommand = { type: 'TakeSequence', transactionHash: one }
const free: ChannelCommand = { type: 'FreeSequence', transactionHash: one }
const use: ChannelCommand = { type: 'UseSequence', transactionHash: one }
const taken: ChannelEvent = { type: 'SequenceTaken', data: { transactionHash: one } }
const freed: ChannelEvent = { type: 'SequenceFreed', data: { transactionHash: one } }
const used: ChannelEvent = { type: 'SequenceUsed', data: { transactionHash: one } }
const by = (transactionHash: typeof one, event: ChannelEvent): ChannelEvent => ({ ...event, data: { transactionHash } })

describe('a sequence number of any status', () => {
  const histories: Readonly<Record<ChannelState['status'], ReadonlyArray<ChannelEvent>>> = {
    free: [],
    taken: [by(other, taken)],
    used: [by(other, taken), by(other, used)],
  }
  const expected: Outcomes<ChannelState['status'], ChannelCommand['type']> = {
    free: { TakeSequence: 'SequenceTaken', FreeSequence: 'SequenceFreed', UseSequence: 'SequenceUsed' },
    taken: { TakeSequence: 'SequenceIsTaken', FreeSequence: 'SequenceFreed', UseSequence: 'SequenceUsed' },
    used: { TakeSequence: 'SequenceIsUsed', FreeSequence: 'nothing', UseSequence: 'SequenceIsUsed' },
  }
  it('gives the expected outcome of every command in every status', () =>
    expect(outcomeTable(Channel.decider, histories, [take, free, use])).toEqual(expected))
})

describe('a sequence number', () => {
  it('takes, uses and frees a sequence number once', () => {
    given([taken]).when(take).then([])
    given([taken, used]).when(take).then([])
    given([taken, used]).when(use).then([])
    given([taken, freed]).when(free).then([])
  })
  it('lets another transaction take a sequence number after it was freed', () =>
    given([taken, freed])
      .when({ ...take, transactionHash: other })
      .then([by(other, taken)]))
  it('rejects a transaction that has freed the sequence number, even if it never took it', () => {
    given([taken, freed]).when(take).rejects({ _tag: 'SequenceWasFreed', transactionHash: one })
    given([freed]).when(take).rejects({ _tag: 'SequenceWasFreed', transactionHash: one })
  })
  it('keeps the holder when another transaction frees the sequence number', () => {
    given([by(other, taken), freed])
      .when(take)
      .rejects({ _tag: 'SequenceIsTaken', by: other })
  })
  it('records the user that the ledger shows, whichever transaction held the sequence number', () => {
    const { evolve, initial } = Channel.decider
    given([by(other, taken)])
      .when(use)
      .then([used])
    expect([by(other, taken), used].reduce(evolve, initial)).toEqual({
      status: 'used',
      by: one,
      takers: [other],
      freedBy: [],
    })
  })
  it('names sequence numbers so that the names sort like the numbers', () => {
    const ids = [9n, 10n, 2n ** 63n - 1n].map((number) => channelId(merchantAccount, accountSequence(number), 0))
    expect([...ids].sort()).toEqual(ids)
    expect(ids.map(channelOf)).toEqual(
      [9n, 10n, 2n ** 63n - 1n].map((sequence) => ({ line: merchantAccount, sequence })),
    )
  })
  it('keeps the numbers apart that an account takes after a reset of its network', () => {
    const name = channelId(merchantAccount, accountSequence(9n), 2)
    expect(channelOf(name)).toEqual({ line: `${merchantAccount}.2`, sequence: 9n })
  })
  it.each([
    '',
    'a-1',
    `${merchantAccount}.0-${'9'.repeat(18)}1`,
    `${merchantAccount}-1`,
    `${merchantAccount}-${'9'.repeat(19)}`,
  ])('rejects %j as the name of a sequence number', (id) => expect(() => channelOf(id)).toThrow(RangeError))
})
