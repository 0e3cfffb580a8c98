import {
  asText,
  CheckoutId,
  count,
  DeliveryId,
  type Environment,
  EventId,
  hourMs,
  KeyedHash,
  LedgerSequence,
  Sealed,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { accountOf, decoded, exampleCredit, exampleId, hashOf } from '@quittance/domain/testing'
import { changesOf, type SqlProgram } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { right } from '../testing/outcomes.ts'
import { awaitingRate } from './awaiting-rate.ts'
import { backfills } from './backfills.ts'
import { challenges } from './challenges.ts'
import { claims } from './claims/claims.ts'
import { cursors } from './cursor.ts'
import { holdingEndpoints } from './deliveries/soon-durable.ts'
import { toDo } from './deliveries/to-do.ts'
import { markBesideVault } from './log-marks.ts'
import { mailedCodes, triesOfCode } from './mail/mailed-codes.ts'
import { outbox } from './mail/outbox.ts'
import { parked } from './parked/parked.ts'
import { portalSessions } from './portal-sessions.ts'
import { openStoreDatabase, type StoreDatabase } from './testing/store-database.ts'
import { signingRecords } from './vault/signing-record.ts'
import { violations } from './violations.ts'

const at = (ms: number): UnixMs => unixMs(1_800_000_000_000 + ms)
const times = (ms: number) => ({ testnet: at(ms), mainnet: at(ms) })
const clock = { now: () => at(0) }
const hash = (digit: string): KeyedHash => decoded(KeyedHash, digit.repeat(64))

let database: StoreDatabase
beforeEach(async () => {
  database = await openStoreDatabase()
})
afterEach(() => database.close())

describe('idempotency keys', () => {
  const request = { merchantId: 'mer_1', environment: 'testnet', key: 'k', requestHash: 'h' } as const

  it('have one owner, however many processes ask for one at once', async () => {
    const [one, two] = [claims(database.sql, clock), claims(database.another, clock)]
    const [here, there] = [right(await one.open(request)), right(await two.open(request))]
    expect(await one.open(request)).toEqual(E.left({ _tag: 'RequestInProgress', retryAfterSeconds: 1 }))
    const ends = await Promise.allSettled([database.sql.run(here.alongside), database.another.run(there.alongside)])
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [winner, loser] = ends[0].status === 'fulfilled' ? [here, there] : [there, here]
    expect(await loser.bind()).toEqual(E.left({ _tag: 'ClaimLost' }))
    winner.answerFrom({ commandId: winner.commandId, stream: 'product-1', revision: 4n })
    expect(await winner.bind()).toEqual(E.right(undefined))
    const again = right(await two.open(request))
    const answeredFrom = { commandId: winner.commandId, stream: 'product-1', revision: 4n }
    expect(again).toMatchObject({ commandId: winner.commandId, isFirst: false, answeredFrom })
    await database.sql.run(again.alongside)
    expect(await one.open({ ...request, requestHash: 'other' })).toEqual(E.left({ _tag: 'IdempotencyKeyReused' }))
  })

  it('that many requests of one process ask for at once are held by the first', async () => {
    const own = claims(database.sql, clock)
    const asked = await Promise.all([own.open(request), own.open(request), own.open(request)])
    const held = asked.flatMap((each) => (E.isRight(each) ? [each.right] : []))
    expect(held).toHaveLength(1)
    await held[0]?.bind()
    const retries = await Promise.all([own.open(request), own.open(request)])
    expect(retries.map((each) => right(each).commandId)).toEqual([held[0]?.commandId, held[0]?.commandId])
  })

  it('are leased, released, taken over and dropped', async () => {
    const moved = { now: () => at(30_000) }
    const one = claims(database.sql, clock)
    const first = right(await one.open(request))
    await database.sql.run(first.alongside)
    const later = claims(database.another, moved)
    expect(await claims(database.another, clock).open(request)).toMatchObject({ left: { retryAfterSeconds: 30 } })
    const taken = right(await later.open(request))
    expect(taken.commandId).toBe(first.commandId)
    await taken.release()
    await right(await later.open(request)).drop()
    expect(right(await later.open(request)).isFirst).toBe(true)
    await later.purge()
  })
})

it('a cursor moves only from where it is', async () => {
  const [own, other] = [cursors(database.sql), cursors(database.another)]
  const cursor = (n: number, hash: string | null) => ({
    sequence: decoded(LedgerSequence, n),
    closedAt: at(n),
    hash,
  })
  await own.begin('testnet', cursor(5, null))
  await other.begin('testnet', cursor(9, null))
  expect(right(await own.of('testnet').load()())).toEqual(cursor(5, null))
  const advance = (from: number, hash: string | null) =>
    own.of('testnet').advance(cursor(from, hash), cursor(from + 1, 'x'))()
  expect([await advance(5, 'x'), await advance(5, null), await advance(5, null)]).toEqual(
    [false, true, false].map((moved) => E.right(moved)),
  )
  expect(right(await own.of('mainnet').advance(null, cursor(1, 'a'))())).toBe(true)
  expect(right(await own.of('mainnet').advance(null, cursor(1, 'a'))())).toBe(false)
  await own.move('testnet', cursor(2, 'y'))
  expect([await other.closedAt('testnet'), await other.closedAt('mainnet')]).toEqual([at(2), at(1)])
})

it('payments without a rate wait in their order', async () => {
  const list = awaitingRate(database.sql)
  const waiting = (n: number) => ({
    environment: 'testnet' as const,
    merchantId: 'mer_1',
    sessionId: exampleId(CheckoutId, n),
    incoming: { ...exampleCredit, transactionHash: hashOf(n) },
  })
  const [first, second] = [waiting(1), waiting(2)]
  await list.addAll([first, second])
  await list.addAll([second, first])
  expect(await list.of('testnet')).toEqual([first, second])
  expect(await list.ofMerchant({ environment: 'testnet', merchantId: 'mer_1' }, 1)).toEqual([first])
  expect([await list.has('testnet', first.sessionId), await list.has('mainnet', first.sessionId)]).toEqual([
    true,
    false,
  ])
  await list.remove(first)
  expect([await list.of('testnet'), await list.named('nothing')]).toEqual([[second], null])
})

it('shares wait in the order of their queue', async () => {
  const list = parked(database.sql)
  const share = (n: number) => ({
    merchantId: 'mer_1',
    environment: 'testnet' as const,
    queue: 'a',
    id: `share ${n}`,
    sequence: decoded(LedgerSequence, n),
    credits: [],
    mandates: [],
    movements: [],
    outcomes: [],
    forgotten: [],
  })
  for (const n of [2, 1, 2]) await list.add(share(n))
  expect(await list.first('testnet', 'a')).toEqual(share(2))
  expect(await list.queues('testnet')).toEqual([{ merchantId: 'mer_1', environment: 'testnet', id: 'a' }])
  await list.remove(share(2))
  expect([await list.first('testnet', 'a'), await list.isWaiting('testnet', 'b')]).toEqual([share(1), false])
})

it('violations of a subject replace its earlier ones', async () => {
  const list = violations(database.sql)
  const breach = (detail: string) => ({ invariant: 'hash_chains' as const, detail })
  const found = (detail: string) => ({ environment: 'testnet', subject: 's', ...breach(detail), foundAt: at(1) })
  expect(await list.set('testnet', 's', [breach('one')], at(1))).toEqual([found('one')])
  expect(await list.set('testnet', 's', [breach('two')], at(2))).toEqual([])
  expect(await list.present('testnet')).toEqual([found('two')])
  expect(await list.set('testnet', 's', [], at(3))).toEqual([])
  expect(await list.present('testnet')).toEqual([])
  for (const position of [3n, 2n ** 60n]) await list.advance('testnet', position)
  expect([await list.checkedTo('testnet'), await list.checkedTo('mainnet')]).toEqual([2n ** 60n, 0n])
})

it('a backfill is done once', async () => {
  const list = backfills(database.sql)
  expect(await list.isDone('a')).toBe(false)
  for (let times = 0; times < 2; times += 1) await list.finish('a')
  expect([await list.isDone('a'), await list.isDone('b')]).toEqual([true, false])
})

it('a challenge is kept for its command, and used up by one', async () => {
  const list = challenges(database.sql, () => at(0))
  const challenge = {
    transactionHash: hashOf(1),
    customerId: 'cus_1',
    address: accountOf(1),
    envelopeXdr: 'AAAA',
  }
  const by = (commandId: string) => ({ commandId })
  const kept = right(await list.keep(by('one'), challenge))
  expect(right(await list.keep(by('one'), { ...challenge, transactionHash: hashOf(2) }))).toEqual(kept)
  expect([await list.spend(by('two'), hashOf(1)), await list.spend(by('three'), hashOf(1))]).toEqual([
    E.right(true),
    E.right(false),
  ])
  await list.purge()
  expect(await list.find(hashOf(1))).toEqual({ ...challenge, spentBy: 'two' })
})

it('an invitation becomes one session, until it ends', async () => {
  const sessions = portalSessions(database.sql)
  const visit = { merchantId: 'mer_1', environment: 'testnet' as const, customerId: 'cus_1', returnUrl: null }
  for (let repeats = 0; repeats < 2; repeats += 1)
    expect(await sessions.invite(hash('a'), visit, at(100), undefined)).toEqual(E.right(undefined))
  const enter = () => sessions.enter(hash('a'), hash('b'), 50, times(10))
  expect([await enter(), await enter()]).toEqual([true, false])
  expect([await sessions.find(hash('b'), times(59)), await sessions.find(hash('b'), times(60))]).toEqual([visit, null])
  await sessions.purge(times(60))
  expect(await sessions.find(hash('b'), times(0))).toBeNull()
})

it('what a command writes beside the log is undone with its claim', async () => {
  const sessions = portalSessions(database.sql)
  const visit = { merchantId: 'mer_1', environment: 'testnet' as const, customerId: 'cus_1', returnUrl: null }
  const failing: SqlProgram<void> = function* () {
    yield* changesOf("INSERT INTO backfills VALUES ('beside')")()
    throw new Error('not today')
  }
  await expect(sessions.invite(hash('a'), visit, at(100), failing)).rejects.toThrow('not today')
  expect([
    await sessions.enter(hash('a'), hash('b'), 50, times(10)),
    await backfills(database.sql).isDone('beside'),
  ]).toEqual([false, false])
})

describe('mailed codes', () => {
  const code = (n: number) => ({
    id: `code ${n}`,
    merchantId: 'mer_1',
    environment: 'testnet' as const,
    address: hash('a'),
    customerId: null,
    newEmail: decoded(Sealed, Buffer.from('sealed').toString('base64')),
  })

  it('are limited for an address and a client, even if they are asked for at once', async () => {
    const lists = [mailedCodes(database.sql), mailedCodes(database.another)]
    const issued = await Promise.all(
      Array.from({ length: 8 }, (_, n) => lists[n % 2]?.issue(code(n), hash('c'), at(0), at(1_000))),
    )
    expect(issued.filter((isIssued) => isIssued === true)).toHaveLength(5)
  })

  it('are mailed once, tried a few times, and used up once', async () => {
    const list = mailedCodes(database.sql)
    await list.issue(code(1), hash('c'), at(0), at(1_000))
    expect([await list.mayMail('code 1', at(1)), await list.mayMail('code 1', at(2))]).toEqual([true, true])
    expect(await list.find('code 1', times(1))).toEqual(code(1))
    for (let n = 0; n < triesOfCode; n += 1) expect(await list.tryOnce('code 1', times(1))).toEqual(code(1))
    expect(await list.tryOnce('code 1', times(1))).toBeNull()
    expect([await list.spend('code 1', times(1)), await list.spend('code 1', times(1))]).toEqual([true, false])
    await list.purge(times(25 * hourMs))
    expect(await list.mayMail('code 1', at(0))).toBe(true)
  })
})

it('a mail is taken by one process at a time', async () => {
  const lists = [outbox(database.sql), outbox(database.another)]
  const mail = (about: string) => ({ environment: 'testnet' as const, kind: 'entry_code' as const, about })
  for (let n = 0; n < 6; n += 1) await outbox(database.sql).add(mail(`code ${n}`), at(n), at(1_000))
  const taken = (await Promise.all(lists.map((list) => list.take('testnet', 3, 100, at(10))))).flat()
  expect(taken.map(({ about }) => about).sort()).toEqual(['code 0', 'code 1', 'code 2', 'code 3', 'code 4', 'code 5'])
  expect(await outbox(database.sql).take('testnet', 9, 100, at(10))).toEqual([])
  const [first, second] = taken
  await outbox(database.sql).done(first?.id ?? 0)
  await outbox(database.sql).retryAt(second?.id ?? 0, at(20))
  expect(await outbox(database.another).take('testnet', 9, 100, at(20))).toEqual([{ ...second, tries: 1 }])
  await outbox(database.sql).purge(times(1_000))
  expect(await outbox(database.sql).take('testnet', 9, 100, at(999))).toEqual([])
})

describe('the to-do list of deliveries', () => {
  const delivery = (n: number, resourceId = 'one') => ({
    id: exampleId(DeliveryId, n),
    webhookId: 'web_1',
    merchantId: 'mer_1',
    environment: 'testnet' as const,
    kind: 'event' as const,
    eventId: exampleId(EventId, n),
    eventType: n % 2 === 0 ? 'even' : 'odd',
    resourceId,
    sequence: n,
    createdAt: at(n),
  })
  const lease = { owner: 'me', until: at(500) }
  const answer = { status: 200, body: 'a\0b', failure: null, durationMs: 1 }
  const over = { status: 'delivered', startedAt: at(10), endedAt: at(11), dueAt: null, answer } as const

  it('sends the events of a resource in their order, and each by one process', async () => {
    const { sql, deliveries, endpoints } = toDo(database.sql)
    const others = toDo(database.another)
    await sql.run(endpoints.enrol('web_1', at(0)))
    for (const each of [delivery(1), delivery(2), delivery(3, 'two'), delivery(1)]) await sql.run(deliveries.add(each))
    const claim = (list: typeof others, now = at(10)) =>
      list.sql.run(list.deliveries.claim('web_1', now, lease, 9), holdingEndpoints)
    const claimed = (await Promise.all([claim(others), claim(toDo(database.sql))])).flat()
    expect(claimed.map(({ sequence }) => sequence).sort()).toEqual([1, 3])
    const [first, third] = claimed.toSorted((a, b) => a.sequence - b.sequence)
    if (first === undefined || third === undefined) throw new Error('two are due')
    await sql.run(deliveries.end(first, 'me', over), holdingEndpoints)
    await sql.run(deliveries.release(third, 'somebody else', at(12)))
    await sql.run(endpoints.refresh('web_1'))
    expect(await sql.run(endpoints.due(times(11), 9))).toEqual(['web_1'])
    expect((await claim(others, at(11))).map(({ sequence }) => sequence)).toEqual([2])
    expect(await sql.run(deliveries.withId(first.id))).toMatchObject({ status: 'delivered', answer, attempts: 1 })
    expect([await sql.run(deliveries.expired(at(499))), await sql.run(deliveries.expired(at(500)))]).toEqual([
      [],
      ['web_1'],
    ])
    await sql.run(deliveries.expire('web_1', at(500), times(20)))
    expect(await sql.run(deliveries.expired(at(500)))).toEqual([])
    expect((await claim(others, at(20))).map(({ sequence }) => sequence)).toEqual([2, 3])
    expect(await sql.run(deliveries.environmentOf('web_1'))).toBe('testnet')
  })

  it('is listed from either end, and by type', async () => {
    const { sql, deliveries } = toDo(database.sql)
    for (const n of [1, 2, 3, 4]) await sql.run(deliveries.add(delivery(n, `${n}`)))
    const bounds = { above: DeliveryId.prefix, below: `${DeliveryId.prefix}~` }
    const page = async (isNewestFirst: boolean, most: number, types?: ReadonlyArray<string>) =>
      (await sql.run(deliveries.page('web_1', { ...bounds, isNewestFirst }, most, types))).map(
        ({ sequence }) => sequence,
      )
    expect([await page(true, 3), await page(false, 3), await page(true, 9, ['odd'])]).toEqual([
      [4, 3, 2],
      [3, 2, 1],
      [3, 1],
    ])
    expect(await sql.run(deliveries.forget('web_1', 3))).toBe(false)
    expect(await sql.run(deliveries.forget('web_1', 3))).toBe(true)
  })

  it('forgets what has been over for long', async () => {
    const { sql, deliveries } = toDo(database.sql)
    await sql.run(deliveries.add(delivery(1)))
    const [claimed] = await sql.run(deliveries.claim('web_1', at(10), lease, 9))
    if (claimed === undefined) throw new Error('one is due')
    await sql.run(deliveries.end(claimed, 'me', over))
    for (const [now, isThere] of [
      [111, true],
      [112, false],
    ] as const) {
      await sql.run(deliveries.purge(100, times(now), 9))
      expect((await sql.run(deliveries.withId(claimed.id))) !== null).toBe(isThere)
    }
  })

  it('knows the position of each endpoint, its failures, and when it is due', async () => {
    const { sql, endpoints, deliveries, begunAt, lastLooked, looked } = toDo(database.sql)
    expect([await sql.run(begunAt(5)), await sql.run(begunAt(6))]).toEqual([5, 5])
    expect(await sql.run(lastLooked)).toBeNull()
    for (const event of ['one', 'two']) await sql.run(looked(event))
    expect(await sql.run(lastLooked)).toBe('two')
    expect(await sql.run(endpoints.progress('web_1'))).toBeNull()
    await sql.run(endpoints.enrol('web_1', at(0)))
    await sql.run(endpoints.reached('web_1', 'two'))
    expect([await sql.run(endpoints.failed('web_1', at(1))), await sql.run(endpoints.failed('web_1', at(2)))]).toEqual([
      at(1),
      at(1),
    ])
    await sql.run(endpoints.succeeded('web_1'))
    expect(await sql.run(endpoints.failed('web_1', at(3)))).toBe(at(3))
    await sql.run(deliveries.add(delivery(7)))
    await sql.run(endpoints.refresh('web_1'))
    const nextDue = (environment: Environment) => sql.run(endpoints.nextDue(environment, at(0)))
    expect([await nextDue('testnet'), await nextDue('mainnet')]).toEqual([at(7), null])
    await sql.run(endpoints.suspend('web_1', true))
    await sql.run(endpoints.refresh('web_1'))
    expect(await nextDue('testnet')).toBeNull()
    const progress = { beginsAt: at(0), lastEvent: 'two', isSuspended: true }
    expect([await sql.run(endpoints.progress('web_1')), await sql.run(endpoints.all)]).toEqual([progress, ['web_1']])
    await sql.run(endpoints.remove('web_1'))
    expect(await sql.run(endpoints.all)).toEqual([])
  })
})

it('a mark of the log moves only from where it is', async () => {
  const [own, other] = [markBesideVault(database.sql), markBesideVault(database.another)]
  const mark = { position: asText('7'), stream: asText('s'), revision: count(2), hash: asText('h'), at: at(1) }
  expect(await own.kept()).toBeNull()
  expect([await own.move(null, mark), await other.move(null, mark)]).toEqual([true, false])
  expect(await other.kept()).toEqual(mark)
})

it('uses of keys are recorded in their order', async () => {
  const records = signingRecords(database.sql, { mark: () => null }, (text) => text.length.toString(16))
  const account = accountOf(1)
  const record = (n: number) => ({ at: at(n), key: 'k', account, purpose: 'uri' as const, digest: null, actor: `${n}` })
  for (const n of [3, 1]) await records.add(record(n))
  expect(await records.of(account)).toEqual([record(3), record(1)])
})
