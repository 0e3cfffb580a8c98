import { cents } from '../shared/cents.ts'
import { PriceChangeId } from '../shared/ids.ts'
import { stroops } from '../shared/stroops.ts'
import { hourMs, type UnixMs, unixMs } from '../shared/units.ts'
import { eurc, exampleId, usdc } from '../testing/examples.ts'
import {
  authorizationOf,
  begun,
  dayMs,
  dearer,
  inLedgerAt,
  mandateOf,
  monthly,
  on,
  settled,
  yearly,
} from '../testing/subscription-examples.ts'
import { type Ends, type Life, lifeOf } from '../testing/subscription-life.ts'
import { nextStep, type SubscriptionCommand, type SubscriptionEvent } from './index.ts'

type Announce = Extract<SubscriptionCommand, { readonly type: 'AnnouncePriceChange' }>

const began = on('2027-01-31')
const told = on('2027-02-10')
const date = on('2027-03-31')
const changeOf = (number: number) => exampleId(PriceChangeId, number)

/** 10.50 USD fits the mandate's cap of 11 USDC; 12 USD does not. */
const fitting = { ...monthly.price, cents: cents(1_050n) }
const above = { ...monthly.price, cents: cents(1_200n) }
const announce = (changed: Partial<Announce> = {}): Announce => {
  const price = changed.price ?? fitting
  return {
    type: 'AnnouncePriceChange',
    priceChangeId: changeOf(1),
    productId: monthly.productId,
    interval: 'month',
    assetId: usdc,
    effectiveAt: date,
    withoutConsent: 'keep',
    scheduledAt: told,
    quote: stroops(price.cents * 100_000n),
    authorizationId: authorizationOf(70),
    at: told,
    ...changed,
    price,
  }
}
const living = (until: UnixMs, details = begun(began), ends?: Ends): Life => {
  const life = lifeOf(details)
  life.pass(until, ends)
  return life
}
/** What each charge was attempted at: the beginning of its period, and the price. */
const charged = ({ history }: Life) =>
  history.flatMap(({ type, data }) =>
    type === 'ChargeAttempted' ? [[new Date(data.period.start).toISOString().slice(0, 10), data.price.cents]] : [],
  )
const typesOf = (events: ReadonlyArray<SubscriptionEvent>) => events.map(({ type }) => type)
const sinceTold = ({ history }: Life) => {
  const first = history.findIndex(({ type }) => type === 'PriceChangeAnnounced')
  return typesOf(history.slice(first)).filter((type) => /Price|Canceled|Replaced|Requested/.test(type))
}
const signing = (life: Life, accepts = changeOf(1), assetId = usdc): SubscriptionCommand => {
  const authorizationId = life.state.authorization.requested?.authorizationId ?? authorizationOf(0)
  const mandate = { ...mandateOf(601, monthly, life.now), cap: stroops(132_000_000n), firstChargeAt: began }
  const asset = assetId === usdc ? {} : { assetId }
  return { type: 'ReplaceMandate', authorizationId, mandate, accepts, ...asset, ...inLedgerAt(life.now, 4) }
}

describe('a price change within the cap', () => {
  it('leaves renewals in the notice period at the old price, and counts from the first period at its date', () => {
    const life = living(told)
    expect(life.give(announce())).toBeNull()
    life.pass(on('2027-05-02'))
    expect(charged(life)).toEqual([
      ['2027-02-28', 1_000n],
      ['2027-03-31', 1_050n],
      ['2027-04-30', 1_050n],
    ])
    expect(sinceTold(life)).toEqual(['PriceChangeAnnounced', 'PriceChanged'])
  })

  it.each([
    ['a second before a period begins counts for that period', date - 1_000, 1_050n],
    ['a second after a period has begun leaves that period alone', date + 1_000, 1_000n],
  ])('%s', (_, effectiveAt, expected) => {
    const life = living(told)
    life.give(announce({ effectiveAt: unixMs(effectiveAt) }))
    life.pass(on('2027-04-01'))
    expect(charged(life).at(-1)).toEqual(['2027-03-31', expected])
  })

  it('counts no sooner than 30 days after the subscription heard of it, however late that was', () => {
    const life = living(on('2027-03-02T11:59:59'))
    life.give(announce({ at: on('2027-03-02T11:59:59') }))
    expect(life.state.priceChange?.effectiveAt).toBe(on('2027-04-01T11:59:59'))
    life.pass(on('2027-05-02'))
    expect(charged(life).slice(1)).toEqual([
      ['2027-03-31', 1_000n],
      ['2027-04-30', 1_050n],
    ])
  })

  it('waits through a yearly period', () => {
    const life = living(told, begun(began, { terms: { ...yearly, productId: monthly.productId } }))
    life.give(announce({ interval: 'year' }))
    life.pass(on('2028-02-02'))
    expect(charged(life)).toEqual([['2028-01-31', 1_050n]])
  })

  it('may lower the price', () => {
    const life = living(told)
    life.give(announce({ price: { ...monthly.price, cents: cents(500n) } }))
    life.pass(on('2027-04-01'))
    expect(charged(life).at(-1)).toEqual(['2027-03-31', 500n])
  })

  it('keeps the old price if the rates have carried it above the cap, although nobody was asked', () => {
    const life = living(told)
    life.give(announce({ price: above, quote: stroops(105_000_000n), withoutConsent: 'cancel' }))
    life.pass(on('2027-04-01'))
    expect(charged(life).at(-1)).toEqual(['2027-03-31', 1_000n])
    expect(sinceTold(life)).toEqual(['PriceChangeAnnounced', 'PriceChangeRefused'])
  })
})

describe('a price change above the cap', () => {
  it('asks for a mandate with the notice, and keeps the old price without one', () => {
    const life = living(told)
    life.give(announce({ price: above }))
    expect(life.state.authorization.requested).toMatchObject({ kind: 'mandate', why: 'price_change' })
    life.pass(on('2027-05-02'))
    expect(charged(life).slice(1)).toEqual([
      ['2027-03-31', 1_000n],
      ['2027-04-30', 1_000n],
    ])
    expect(sinceTold(life)).toEqual(['PriceChangeAnnounced', 'PriceChangeRefused'])
    expect(life.state.authorization.requested).toBeNull()
  })

  it('cancels at the end of the period instead, where the merchant chose that', () => {
    const life = living(told)
    life.give(announce({ price: above, withoutConsent: 'cancel' }))
    life.pass(on('2027-04-01'))
    expect(charged(life)).toEqual([['2027-02-28', 1_000n]])
    expect(life.history).toContainEqual({
      type: 'SubscriptionCanceled',
      data: { reason: 'price_change', canceledAt: date },
    })
    expect(life.state.status).toBe('canceled')
  })

  it.each(['keep', 'cancel'] as const)(
    'counts for those who have signed, whoever else it is for (%s)',
    (withoutConsent) => {
      const life = living(told)
      life.give(announce({ price: above, withoutConsent }))
      expect(life.give(signing(life))).toBeNull()
      life.pass(on('2027-05-02'))
      expect(charged(life)).toEqual([
        ['2027-02-28', 1_000n],
        ['2027-03-31', 1_200n],
        ['2027-04-30', 1_200n],
      ])
      expect(sinceTold(life)).toEqual([
        'PriceChangeAnnounced',
        'MandateReplaced',
        'PriceChangeAccepted',
        'PriceChanged',
      ])
    },
  )

  it('asks again if the mandate that came does not allow it', () => {
    const life = living(told)
    life.give(announce({ price: above }))
    life.give(signing(life, changeOf(9)))
    life.pass(unixMs(told + hourMs))
    expect(life.state.authorization.requested).toMatchObject({ why: 'price_change' })
    expect(life.state.priceChange?.acceptedAt).toBeNull()
  })

  it('uses a request that is open already, for another wallet say', () => {
    const life = living(told)
    life.give({ type: 'ChangeWallet', authorizationId: authorizationOf(50), at: told })
    life.give(announce({ price: above }))
    expect(life.state.authorization.requested?.authorizationId).toBe(authorizationOf(50))
  })
})

describe('a price change in another asset', () => {
  it('moves the asset with the signature, and the price at its date', () => {
    const life = living(told)
    life.give(announce({ assetId: eurc, quote: stroops(1n) }))
    expect(life.state.authorization.requested).toMatchObject({ why: 'price_change' })
    life.give(signing(life, changeOf(1), eurc))
    expect(life.state.details.assetId).toBe(eurc)
    life.pass(on('2027-04-01'))
    expect(charged(life)).toEqual([
      ['2027-02-28', 1_000n],
      ['2027-03-31', 1_050n],
    ])
  })

  it('leaves asset and price to those who do not sign', () => {
    const life = living(told)
    life.give(announce({ assetId: eurc, quote: stroops(1n) }))
    life.pass(on('2027-04-01'))
    expect(life.state.details.assetId).toBe(usdc)
    expect(charged(life).at(-1)).toEqual(['2027-03-31', 1_000n])
  })
})

describe('a price change that finds a subscription', () => {
  it('in a trial counts for the first charge, if that is at its date or later', () => {
    const trial = begun(began, { trialDays: 30 })
    const [early, late] = [living(told, trial), living(told, trial)]
    early.give(announce({ effectiveAt: on('2027-03-12') }))
    late.give(announce({ effectiveAt: on('2027-03-12'), at: unixMs(told - 10 * dayMs), scheduledAt: told }))
    for (const life of [early, late]) life.pass(on('2027-04-03'))
    expect(charged(early)).toEqual([
      ['2027-03-02', 1_000n],
      ['2027-04-02', 1_050n],
    ])
    expect(charged(late)).toEqual(charged(early))
  })

  it('past due charges the period that is current at the price of that period', () => {
    const life = living(told)
    life.give(announce({ effectiveAt: on('2027-03-28') }))
    life.pass(unixMs(date + 60 * 1_000), (charge) => (charge.n === 2 ? 'balance_too_low' : 'confirmed'))
    expect(charged(life).at(-1)).toEqual(['2027-03-31', 1_050n])
    const before = living(told)
    before.give(announce({ effectiveAt: unixMs(date + 1_000) }))
    before.pass(on('2027-04-05'), (charge) => (charge.n === 2 ? 'balance_too_low' : 'confirmed'))
    expect(new Set(charged(before).slice(1).map(String))).toEqual(new Set(['2027-03-31,1000']))
    expect(before.state.status).toBe('past_due')
  })

  it('paused counts for the period that resumes it, and does nothing before', () => {
    const life = living(told)
    life.give(announce())
    life.give({ type: 'Pause', at: told })
    life.pass(on('2027-05-10'))
    expect(charged(life)).toEqual([])
    life.give({ type: 'Resume', at: life.now })
    life.wakeAt(life.now)
    expect(charged(life)).toEqual([['2027-05-10', 1_050n]])
  })

  it('with an invoice leaves the price of the invoice', () => {
    const life = living(told)
    life.give(announce({ effectiveAt: unixMs(date + dayMs) }))
    life.pass(on('2027-04-16'), (charge) => (charge.n === 2 ? 'balance_too_low' : 'confirmed'))
    expect(life.state.status).toBe('overdue')
    life.give(settled(2, on('2027-04-20')))
    expect(sinceTold(life)).toEqual(['PriceChangeAnnounced'])
    life.pass(on('2027-05-01'))
    expect(charged(life).at(-1)).toEqual(['2027-04-30', 1_050n])
  })

  it('that has gone to another product does not concern it any more', () => {
    const life = living(told)
    life.give(announce({ price: above }))
    life.give({
      type: 'SwapProduct',
      terms: dearer,
      assetId: usdc,
      quote: stroops(110_000_000n),
      authorizationId: authorizationOf(80),
      at: told,
    })
    life.pass(on('2027-04-01'))
    expect(sinceTold(life)).toEqual(['PriceChangeAnnounced', 'PriceChangeDropped'])
    expect(charged(life).at(-1)).toEqual(['2027-03-31', 1_100n])
    expect(life.state.authorization.requested).toBeNull()
  })

  it.each(['now', 'period_end'] as const)('that ends (%s) ends with it', (when) => {
    const life = living(told)
    life.give(announce({ price: above, withoutConsent: 'cancel' }))
    life.give({ type: 'Cancel', when, at: told })
    life.pass(on('2027-05-01'))
    expect(life.history.findLast(({ type }) => type === 'PriceChangeDropped')?.data).toMatchObject({
      why: 'subscription_ended',
    })
    expect(life.state.lifecycle).toMatchObject({ _tag: 'canceled', reason: 'requested' })
  })

  it('that is to end asks for no consent, until the cancellation is undone', () => {
    const life = living(told)
    life.give({ type: 'Cancel', when: 'period_end', at: told })
    life.give(announce({ price: above }))
    life.pass(unixMs(told + dayMs))
    expect(life.state.authorization.requested).toBeNull()
    life.give({ type: 'UndoCancellation', at: life.now })
    life.wakeAt(life.now)
    expect(life.state.authorization.requested).toMatchObject({ why: 'price_change' })
  })
})

describe('price changes that meet', () => {
  it('leave the later one, and ignore a notice of the earlier that comes late', () => {
    const life = living(told)
    life.give(announce({ price: above }))
    const later = announce({ priceChangeId: changeOf(2), scheduledAt: unixMs(told + dayMs), at: unixMs(told + dayMs) })
    life.give(later)
    expect(sinceTold(life)).toEqual(['PriceChangeAnnounced', 'PriceChangeDropped', 'PriceChangeAnnounced'])
    expect(life.state.authorization.requested).toBeNull()
    life.give(announce({ price: above }))
    life.pass(on('2027-04-01'))
    expect(life.state.priceChange).toMatchObject({ priceChangeId: changeOf(2), ended: 'changed' })
    life.give(announce({ priceChangeId: changeOf(3), scheduledAt: unixMs(told + 1) }))
    expect(life.state.priceChange).toMatchObject({ priceChangeId: changeOf(2) })
  })

  it.each([
    ['another product', { productId: yearly.productId }],
    ['periods of another length', { interval: 'year' as const }],
    ['whoever had subscribed before it began', { scheduledAt: unixMs(began - 1) }],
    ['the price that it has', { price: monthly.price }],
  ])('tell nothing to a subscription if they are for %s', (_, changed) => {
    const life = living(told)
    expect(life.give(announce(changed))).toBeNull()
    expect(life.state.priceChange).toBeUndefined()
  })
})

describe('a price change that is canceled', () => {
  it('leaves the old price, asks for no consent, and drops nothing twice', () => {
    const life = living(told)
    life.give(announce({ price: above }))
    const drop = { type: 'DropPriceChange', priceChangeId: changeOf(1), at: told } as const
    life.give(drop)
    life.give(drop)
    life.pass(on('2027-04-01'))
    expect(sinceTold(life)).toEqual(['PriceChangeAnnounced', 'PriceChangeDropped'])
    expect(life.state.authorization.requested).toBeNull()
    expect(charged(life).at(-1)).toEqual(['2027-03-31', 1_000n])
  })

  it('takes nothing back from those who pay it', () => {
    const life = living(told)
    life.give(announce())
    life.pass(on('2027-04-01'))
    life.give({ type: 'DropPriceChange', priceChangeId: changeOf(1), at: life.now })
    life.pass(on('2027-05-01'))
    expect(charged(life).at(-1)).toEqual(['2027-04-30', 1_050n])
  })
})

describe('a freeze of sales', () => {
  it('leaves the old price, since nobody can sign, and ends nobody for want of consent', () => {
    const life = living(unixMs(date - 1))
    life.give(announce({ price: above, withoutConsent: 'cancel', at: told }))
    const at = (sales: boolean, charges: boolean) => nextStep(life.state, date, life.policy, { sales, charges })._tag
    expect([at(false, false), at(true, false), at(false, true)]).toEqual([
      'apply_price_change',
      'attempt_charge',
      'nothing',
    ])
  })
})
