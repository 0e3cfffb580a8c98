import { AuthorizationId, hourMs, InvoiceId, type RecordedEvent, unixMs } from '@quittance/domain'
import { cancelCall } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { units } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs
const stepsThatAsk = ['request_authorization', 'announce_trial_end', 'announce_renewal']

describe('a stranger who knows the id of a subscription, and all that the ledger shows of it', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const join = async (number: number) => {
    const reader = await club.wallets.wallet(number)
    const checkout = await club.join(await club.club(), `g${number}@club.example`)
    await club.enrol(checkout, reader)
    return { reader, id: present((await club.checkout(checkout)).subscription_id), terms: await club.termsOf(checkout) }
  }
  const eventsOf = async (id: string): Promise<ReadonlyArray<RecordedEvent>> =>
    (await done(club.platform.log.readStream(`subscription-${id}`))).events
  const shown = (id: string) => done(club.billing.subscriptions.retrieve(club.scope, id))
  const sessionIn = (url: string | null) => present(url).replace(/^.*\/pay\//, '')
  const opens = async (id: string) => E.isRight(await club.billing.payer.status(id)())
  const opened = async (guesses: ReadonlyArray<string>) => {
    const found: Array<string> = []
    for (const guess of new Set(guesses)) if (await opens(guess)) found.push(guess)
    return found
  }
  const momentsIn = (events: ReadonlyArray<RecordedEvent>) =>
    events
      .flatMap(({ data, metadata }) => [...Object.values(data), metadata.occurredAt])
      .filter((value) => typeof value === 'number')
      .map(unixMs)

  it('computes the id of no invoice', async () => {
    const { reader, id } = await join(201)
    const view = present(await done(club.network.gateway.accountView(reader.account, [club.network.usdc.assetId])))
    const all = [present(view.trustlines[0]).balance]
    reader.pay({ to: club.other.account, asset: club.network.usdc.assetId, parts: all, memo: null })
    for (const days of [31, 1, 2, 2, 2, 3, 4, 4]) {
      await club.pass(days * dayMs)
      for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
    }
    const invoice = sessionIn((await shown(id)).invoice_url)
    const moments = momentsIn(await eventsOf(id))
    const guesses = [0, 1, 2, 3].flatMap((n) =>
      moments.map((at) => createdId(InvoiceId, at, derivedCommandId(`testnet/${id}`, `invoice ${n}`))),
    )
    expect([await opens(invoice), await opened(guesses)]).toEqual([true, []])
    await club.pay(invoice, [units(10)])
    expect(await shown(id)).toMatchObject({ status: 'active' })
  })

  it('computes the id of no request for an authorization', async () => {
    const { reader, id, terms } = await join(202)
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`there is no ${id}`)
    await club.call(reader, cancelCall(terms.contract, reader.account, state.authorization.mandate.mandateId))
    await club.pass()
    await club.pass()
    const request = sessionIn((await shown(id)).authorization.update_url)
    const guesses = (await eventsOf(id)).flatMap((event) =>
      stepsThatAsk.map((step) => createdId(AuthorizationId, state.details.startedAt, derivedCommandId(event.id, step))),
    )
    expect([await opens(request), await opened(guesses)]).toEqual([true, []])
  })
})
