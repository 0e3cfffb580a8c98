import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { unixMs } from '../shared/units.ts'
import { accountOf } from '../testing/account.ts'
import { exampleCredit, hashOf, merchantAccount, native, payerAccount, start, usdc } from '../testing/examples.ts'
import { type Outcomes, outcomeTable } from '../testing/outcome-table.ts'
import { scenario } from '../testing/scenario.ts'
import {
  Funding,
  type FundingCommand,
  type FundingEvent,
  type FundingState,
  type OwnMovement,
  type ReceivedFunding,
} from './index.ts'

const { given } = scenario(Funding.decider)
const announcement = {
  from: payerAccount,
  assetId: native,
  amount: stroops(5n),
  announcedAt: start,
  expiresAt: unixMs(start + 1000),
}
const announce: FundingCommand = { type: 'AnnounceFunding', ...announcement }
const announced: FundingEvent = { type: 'FundingAnnounced', data: announcement }
const received: ReceivedFunding = {
  reason: 'announced',
  account: merchantAccount,
  from: payerAccount,
  assetId: native,
  amount: stroops(5n),
  transactionHash: hashOf(1),
  operationIndex: exampleCredit.operationIndex,
  ledger: exampleCredit.ledger,
  closedAt: announcement.expiresAt,
}
const receive: FundingCommand = { type: 'ReceiveFunding', ...received }
const came: FundingEvent = { type: 'FundingReceived', data: received }
const movement: OwnMovement = {
  account: merchantAccount,
  assetId: native,
  amount: stroops(7n),
  direction: 'loss',
  movements: [asText('payment'), asText('fee')],
  transactionHash: hashOf(3),
  operationIndex: exampleCredit.operationIndex,
  ledger: exampleCredit.ledger,
  closedAt: start,
}
const book: FundingCommand = { type: 'BookOwnMovement', ...movement }
const moved: FundingEvent = { type: 'OwnMovementBooked', data: movement }
const unannounced: ReceivedFunding = { ...received, reason: 'declared' }

describe('funding of any status', () => {
  const histories: Readonly<Record<FundingState['status'], ReadonlyArray<FundingEvent>>> = {
    absent: [],
    announced: [announced],
    received: [announced, came],
    moved: [moved],
  }
  const expected: Outcomes<FundingState['status'], FundingCommand['type']> = {
    absent: {
      AnnounceFunding: 'FundingAnnounced',
      ReceiveFunding: 'FundingNotAnnounced',
      BookOwnMovement: 'OwnMovementBooked',
    },
    announced: {
      AnnounceFunding: 'nothing',
      ReceiveFunding: 'FundingReceived',
      BookOwnMovement: 'FundingIsNoMovement',
    },
    received: { AnnounceFunding: 'nothing', ReceiveFunding: 'nothing', BookOwnMovement: 'FundingIsNoMovement' },
    moved: { AnnounceFunding: 'FundingIsMovement', ReceiveFunding: 'FundingIsMovement', BookOwnMovement: 'nothing' },
  }
  it('gives the expected outcome of every command in every status', () =>
    expect(outcomeTable(Funding.decider, histories, [announce, receive, book])).toEqual(expected))
})

describe('an announcement of funding', () => {
  it.each([
    ['nothing', { from: null, assetId: null, amount: null }],
    ['an asset alone', { from: null, amount: null }],
    ['an amount alone', { from: null, assetId: null }],
  ])('rejects an announcement that names %s, since any stranger’s payment would fit', (_, vague) =>
    given([])
      .when({ ...announce, ...vague })
      .rejects({ _tag: 'AnnouncementTooVague' }),
  )
  it.each([
    ['a sender', { assetId: null, amount: null }],
    ['an asset and its amount', { from: null }],
  ])('accepts an announcement that names %s alone', (_, changed) =>
    given([])
      .when({ ...announce, ...changed })
      .then([{ type: 'FundingAnnounced', data: { ...announcement, ...changed } }]),
  )
  it('rejects an id that names another announcement', () =>
    given([announced])
      .when({ ...announce, amount: stroops(6n) })
      .rejects({ _tag: 'FundingAlreadyAnnounced' }))

  it.each([
    ['from a look-alike account', { from: accountOf(9) }],
    ['of another asset', { assetId: usdc }],
    ['one stroop short', { amount: stroops(4n) }],
    ['one stroop more', { amount: stroops(6n) }],
    ['a millisecond after it has expired', { closedAt: unixMs(start + 1001) }],
    ['for another reason', { reason: 'declared' as const }],
  ])('rejects a payment %s as unlike the announcement', (_, changed) =>
    given([announced])
      .when({ ...receive, ...changed })
      .rejects({ _tag: 'FundingUnlikeAnnouncement' }),
  )
  it('matches an announcement with one payment only', () =>
    given([announced, came])
      .when({ ...receive, transactionHash: hashOf(2) })
      .rejects({ _tag: 'FundingAlreadyReceived', received }))
})

describe('funding without an announcement', () => {
  it('records unannounced funding once', () => {
    given([])
      .when({ type: 'ReceiveFunding', ...unannounced })
      .then([{ type: 'FundingReceived', data: unannounced }])
    given([{ type: 'FundingReceived', data: unannounced }])
      .when({ type: 'ReceiveFunding', ...unannounced })
      .then([])
  })
})
