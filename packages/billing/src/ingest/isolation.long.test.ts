import { readFile } from 'node:fs/promises'
import { secondMs } from '@quittance/domain'
import type { Loop } from '../stores/setbacks/loop.ts'
import type { SetbackNotification } from '../stores/setbacks/setbacks.ts'
import { ofCustomers } from '../testing/isolation/customers.ts'
import { ofPayouts } from '../testing/isolation/payouts.ts'
import { ofRefunds } from '../testing/isolation/refunds.ts'
import { everyClass, ofStreams, type Scenario, type Work } from '../testing/isolation/scenario.ts'
import { ofSessions } from '../testing/isolation/sessions.ts'
import { ofSettlementAccounts } from '../testing/isolation/settlement-accounts.ts'
import { ofSubscriptions } from '../testing/isolation/subscriptions.ts'
import { inTrouble, type MerchantTrouble } from '../testing/merchant-trouble.ts'
import { done, present } from '../testing/outcomes.ts'
import { openNextDoor, openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { createWorker } from '../worker/worker.ts'

const byEachApart = 'each item by `eachIsolated`, which `each-isolated.test.ts` fails by every class'
const elsewhere = {
  pass: 'the parts of a step themselves, as items of the platform; `each-isolated.test.ts`',
  backfill: `once in a service's life; ${byEachApart}`,
  follow_up: 'as `subscriptions`, once more in a step',
  alarms: byEachApart,
  migrations: byEachApart,
  contract_rent: "no merchant's",
  anchors: "no merchant's",
  passed_over: "no merchant's",
  service_accounts: "no merchant's",
  advance: `the end of a transaction comes by \`ledger\`, its intents' by \`close_out\`; ${byEachApart}`,
  webhooks: '`notify/delivery/endpoint-isolation.test.ts`',
} as const

/** Of every loop its scenario, or in words where else it is shown: a loop that is added has to be one or the other. */
const loops: Readonly<Record<Loop, Scenario | string>> = {
  ...elsewhere,
  ...ofSessions,
  ...ofSubscriptions,
  ...ofRefunds,
  ...ofPayouts,
  ...ofSettlementAccounts,
  ...ofCustomers,
}

const patience = 12

const scenarios = Object.entries(loops).flatMap(([loop, scenario]) =>
  typeof scenario === 'string' ? [] : [[loop, scenario] as const],
)

describe.each(scenarios)('isolation of a merchant whose loop %s fails', (loop, scenario) => {
  let [one, other]: ReadonlyArray<StoreFront> = []
  let pace = 0
  const shops = () => [present(one), present(other)] as const
  /** Ledgers until the work is done; null where it is not within a dozen. */
  const ledgersUntil = async (work: Work, step: () => Promise<void>): Promise<number | null> => {
    for (let ledgers = 0; ledgers < patience; ledgers++) {
      await step()
      if (await work()) return ledgers
      present(one).network.wait(secondMs)
    }
    return null
  }
  beforeAll(async () => {
    one = await openStoreFront()
    other = await openNextDoor(one)
    const [start, others] = [await scenario.prepare(one), await scenario.prepare(other)]
    await start()
    const work = await others()
    if (scenario.waitMs !== undefined) one.network.wait(scenario.waitMs)
    pace = present(await ledgersUntil(work, one.step))
  })
  afterAll(() => one?.close())

  it.each(scenario.failures)('delays no other merchant during %s, and recovers after it', async (failure) => {
    const [troubled, served] = shops()
    const { merchantId, services, network } = troubled
    const trouble: MerchantTrouble = { merchantId, streams: scenario.streams, failure, isOn: false }
    const news: Array<SetbackNotification> = []
    const worker = present(
      createWorker(inTrouble(services, trouble), 'testnet', () => undefined, { onSetback: (each) => news.push(each) }),
    )
    const told = () => news.filter((each) => each.loop === loop).map((each) => [each._tag, each.merchantId])
    const step = () => done(worker.step)
    const starts = [await scenario.prepare(troubled), await scenario.prepare(served)] as const
    const [work, others] = [await starts[0](), await starts[1]()]
    if (scenario.waitMs !== undefined) network.wait(scenario.waitMs)
    trouble.isOn = true
    expect(await ledgersUntil(others, step)).toBe(pace)
    for (let ledgers = 0; ledgers < patience && told().length === 0; ledgers++) {
      network.wait(10 * secondMs)
      await step()
    }
    // Met while it is paused.
    await step()
    expect(await work()).toBe(false)
    expect(told()).toEqual([['MerchantSetBack', merchantId]])
    trouble.isOn = false
    network.wait(60 * secondMs)
    expect(await ledgersUntil(work, step)).not.toBeNull()
    expect(told()).toEqual([
      ['MerchantSetBack', merchantId],
      ['MerchantSetBackOver', merchantId],
    ])
  })
})

const inWords: Readonly<Record<number, string>> = {
  [everyClass.length]: 'every class',
  [ofStreams.length]: 'every class of a store, and a defect',
  1: 'a defect',
}

it('the documentation describes the isolation of each loop as tested', async () => {
  const rows = Object.entries(loops)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([loop, shown]) => {
      if (typeof shown === 'string') return `| \`${loop}\` | | ${shown} |`
      const categories = shown.streams.source.replaceAll(/[\^()-]/g, '').split('|')
      const failures = inWords[shown.failures.length]
      return `| \`${loop}\` | ${categories.map((each) => `\`${each}\``).join(', ')} | ${failures} |`
    })
  const text = await readFile(new URL('../../../../docs/isolation.md', import.meta.url), 'utf8')
  expect(text).toContain(`| Loop | Streams in trouble | Fails by |\n| --- | --- | --- |\n${rows.join('\n')}\n`)
})
