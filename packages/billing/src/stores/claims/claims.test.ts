import { asText, hourMs } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Claim, KeyedRequest } from '../../kernel/claims.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import { ProcessDied } from '../../testing/failing-stores.ts'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done, present, refused, right } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../../testing/platform.ts'
import { book, command, openShop, options, someone } from '../../testing/shop.ts'
import type { TestStore } from '../../testing/stores.ts'
import { type Wallet, walletsOn } from '../../testing/wallets.ts'

describe.each<{ kind: TestStore; where: string }>([
  { kind: 'embedded', where: 'in the file of the log' },
  { kind: 'remote log', where: 'beside a log that is elsewhere' },
  { kind: 'peer', where: 'beside a log on a server' },
])('idempotency keys $where', ({ kind }) => {
  let network: TestNetwork
  let folder: ReturnType<typeof temporaryFolder>
  let one: TestPlatform
  let two: TestPlatform
  let merchantId: string
  beforeEach(async () => {
    network = await startNetwork()
    folder = temporaryFolder()
    one = await openPlatform(network, folder.path, undefined, kind)
    two = await openPlatform(network, folder.path, undefined, kind)
    merchantId = await openShop(one)
  })
  afterEach(async () => {
    await one.close()
    await two.close()
    await network.close()
    folder.remove()
  })

  const request = (key: string, requestHash = 'this request'): KeyedRequest => ({
    merchantId,
    environment: 'testnet',
    key,
    requestHash,
  })
  const open = (platform: TestPlatform, ...keyed: Parameters<typeof request>) =>
    platform.services.claims.open(request(...keyed))
  const under = (platform: TestPlatform, { commandId, at, alongside, answeredFrom, answerFrom }: Claim) =>
    command(platform, merchantId, { commandId, at, alongside, answerFrom, ...(answeredFrom && { answeredFrom }) })
  const checkout = (platform: TestPlatform, claim: Claim, email = 'ada@example.org') =>
    platform.billing.checkouts.createDirect(
      under(platform, claim),
      { amount: '5', amountCents: null },
      'USD',
      options({ id: null, email, phone: null }),
    )
  const reused = { _tag: 'Left', left: { _tag: 'IdempotencyKeyReused' } }
  const inProgress = (retryAfterSeconds: number) => ({
    _tag: 'Left',
    left: { _tag: 'RequestInProgress', retryAfterSeconds },
  })

  it('give the same answer to the same request, in every process', async () => {
    const claim = right(await open(one, 'a'))
    const answer = await done(checkout(one, claim))
    right(await claim.bind())
    const head = await one.logEnd()
    for (const platform of [one, two]) {
      const again = right(await open(platform, 'a'))
      expect([again.commandId, again.at, again.isFirst]).toEqual([claim.commandId, claim.at, false])
      expect(await done(checkout(platform, again))).toEqual(answer)
      await again.bind()
    }
    expect(await one.logEnd()).toEqual(head)
  })

  it('belong to one merchant and one environment', async () => {
    const first = right(await open(one, 'a'))
    const foreign = right(await one.services.claims.open({ ...request('a', 'other'), merchantId: 'mer_other' }))
    const elsewhere = right(await one.services.claims.open({ ...request('a', 'other'), environment: 'mainnet' }))
    expect(new Set([first, foreign, elsewhere].map(({ commandId }) => commandId)).size).toBe(3)
  })

  it('reject another request at once, and after the first one was answered', async () => {
    const claim = right(await open(one, 'a'))
    expect(await open(one, 'a', 'another request')).toEqual(reused)
    await done(checkout(one, claim))
    expect(await open(two, 'a', 'another request')).toEqual(reused)
    await claim.bind()
    expect(await open(one, 'a', 'another request')).toEqual(reused)
  })

  it('make the same request wait while it is under way, up to the end of the lease', async () => {
    const claim = right(await open(one, 'a'))
    expect(await open(one, 'a')).toEqual(inProgress(1))
    await done(checkout(one, claim))
    expect(await open(two, 'a')).toEqual(inProgress(30))
    network.wait(29_000)
    expect(await open(two, 'a')).toEqual(inProgress(1))
    network.wait(1000)
    expect(right(await open(two, 'a')).commandId).toBe(claim.commandId)
    expect(await open(one, 'a')).toEqual(inProgress(1))
  })

  it('are free again after a rejection', async () => {
    const claim = right(await open(one, 'a'))
    await done(one.billing.customers.createAll(under(one, claim), [someone('ada@example.org')]))
    await claim.drop()
    const next = right(await open(two, 'a', 'another request'))
    expect([next.isFirst, next.commandId === claim.commandId]).toEqual([true, false])
  })

  it('stand after a failure, and allow a retry at once', async () => {
    const claim = right(await open(one, 'a'))
    await done(checkout(one, claim))
    await claim.release()
    expect(await open(two, 'a', 'another request')).toEqual(reused)
    expect(right(await open(two, 'a')).commandId).toBe(claim.commandId)
  })

  it('have one effect when two processes receive them at once', async () => {
    const [here, there] = [right(await open(one, 'a')), right(await open(two, 'a'))]
    const outcomes = await Promise.all([checkout(one, here)(), checkout(two, there)()])
    expect(outcomes.map(({ _tag }) => _tag).sort()).toEqual(['Left', 'Right'])
    expect(outcomes.find(({ _tag }) => _tag === 'Left')).toMatchObject({ left: { _tag: 'ClaimLost' } })
    await one.shown()
    const scope = { merchantId, environment: 'testnet' as const, limit: 10 }
    expect((await one.billing.checkouts.list(scope)()).resources).toHaveLength(1)
    expect((await one.billing.customers.list(scope)()).resources).toHaveLength(1)
  })

  let owner: Wallet
  beforeEach(async () => {
    owner = await walletsOn(network).wallet(1)
  })
  type Beside = (platform: TestPlatform, claim: Claim, customerId: string) => TE.TaskEither<unknown, unknown>
  const challenge: Beside = (platform, claim, id) =>
    platform.billing.wallets.start(under(platform, claim), id, owner.account)
  const invitation: Beside = (platform, claim, id) => platform.billing.portal.open(under(platform, claim), id)
  it.each([
    ['a challenge', challenge],
    ['an invitation', invitation],
  ])('are claimed together with %s, which is not in the log', async (_, ask) => {
    const [ada] = await done(one.billing.customers.createAll(command(one, merchantId), [someone('ada@example.org')]))
    const { id } = present(ada)
    const [here, there] = [right(await open(one, 'a')), right(await open(two, 'a'))]
    const answer = await done(ask(one, here, id))
    expect(await refused(ask(two, there, id))).toEqual({ _tag: 'ClaimLost' })
    await there.release()
    expect(await open(two, 'a', 'another request')).toEqual(reused)
    network.wait(30_000)
    expect(await done(ask(two, right(await open(two, 'a')), id))).toEqual(answer)
  })

  it('stand when a process dies between the use of a challenge and the link of its wallet', async () => {
    const [ada] = await done(one.billing.customers.createAll(command(one, merchantId), [someone('ada@example.org')]))
    const { id } = present(ada)
    const { transaction } = await done(one.billing.wallets.start(command(one, merchantId), id, owner.account))
    const signed = owner.sign(transaction)
    const verify = (platform: TestPlatform, claim: Claim) =>
      platform.billing.wallets.verify(under(platform, claim), id, signed)
    const dead: EventStore['append'] = () => () => Promise.reject(new ProcessDied())
    const dying = await openPlatform(network, folder.path, (store) => ({ ...store, append: dead }), kind)
    await expect(verify(dying, right(await open(dying, 'a')))()).rejects.toThrow(ProcessDied)
    await dying.close()
    network.wait(30_000)
    expect(await done(verify(two, right(await open(two, 'a'))))).toMatchObject({ address: owner.account })
  })

  it('leave the claim of the first process alone, however the other ends', async () => {
    const [here, there] = [right(await open(one, 'a')), right(await open(two, 'a'))]
    await done(checkout(one, here))
    expect((await refused(checkout(two, there)))._tag).toBe('ClaimLost')
    for (const end of [there.bind, there.drop, there.release]) {
      await end()
      expect(await open(two, 'a')).toEqual(inProgress(30))
    }
    await here.bind()
    expect(right(await open(two, 'a')).commandId).toBe(here.commandId)
  })

  const productOf = async (name: string) =>
    done(one.billing.products.create(command(one, merchantId), { ...book(), name: asText(name) }))
  const rename = (platform: TestPlatform, context: CommandContext, id: string, name: string) =>
    done(platform.billing.products.update(context, id, { name: asText(name) }))

  it('give the same answer to a request that changed nothing, and change nothing later', async () => {
    const { id } = await productOf('Then')
    const claim = right(await open(one, 'a'))
    const answer = await rename(one, under(one, claim), id, 'Then')
    right(await claim.bind())
    await rename(one, command(one, merchantId), id, 'Now')
    const head = await one.logEnd()
    for (const platform of [one, two]) {
      const again = right(await open(platform, 'a'))
      expect(await rename(platform, under(platform, again), id, 'Then')).toEqual(answer)
      expect(await again.bind()).toEqual(E.right(undefined))
    }
    expect(await one.logEnd()).toEqual(head)
  })

  it('are bound by one answer when two processes change nothing at once', async () => {
    const { id } = await productOf('Then')
    const [here, there] = [right(await open(one, 'a')), right(await open(two, 'a'))]
    const answer = await rename(one, under(one, here), id, 'Then')
    right(await here.bind())
    await rename(one, command(one, merchantId), id, 'Now')
    await rename(two, under(two, there), id, 'Now')
    expect(await there.bind()).toEqual(E.left({ _tag: 'ClaimLost' }))
    expect(await rename(two, under(two, right(await open(two, 'a'))), id, 'Then')).toEqual(answer)
  })

  it('stay bound, however a retry ends', async () => {
    const claim = right(await open(one, 'a'))
    const answer = await done(checkout(one, claim))
    right(await claim.bind())
    for (const end of ['drop', 'release'] as const) await right(await open(two, 'a'))[end]()
    expect(await open(two, 'a', 'another request')).toEqual(reused)
    expect(await done(checkout(two, right(await open(two, 'a'))))).toEqual(answer)
  })

  it('stay bound when a process that seemed dead ends after another one', async () => {
    const slow = right(await open(one, 'a'))
    const answer = await done(checkout(one, slow))
    network.wait(30_000)
    const taken = right(await open(two, 'a'))
    expect(await done(checkout(two, taken))).toEqual(answer)
    right(await taken.bind())
    await slow.drop()
    expect(right(await open(two, 'a')).commandId).toBe(slow.commandId)
    expect(await slow.bind()).toEqual(E.left({ _tag: 'ClaimLost' }))
  })

  it('are taken over by one process only', async () => {
    const dead = right(await open(one, 'a'))
    await done(checkout(one, dead))
    network.wait(30_000)
    const third = await openPlatform(network, folder.path, undefined, kind)
    right(await open(two, 'a'))
    expect(await open(third, 'a')).toEqual(inProgress(30))
    await third.close()
  })

  it('stay for ever with what they created; a worker forgets the others after 30 days', async () => {
    const [created, unchanged] = [right(await open(one, 'a')), right(await open(one, 'b'))]
    const { id } = await done(checkout(one, created))
    for (const claim of [created, unchanged]) right(await claim.bind())
    network.wait(30 * 24 * hourMs - 60_000)
    await done(one.worker.step)
    expect(await open(two, 'b', 'another request')).toEqual(reused)
    network.wait(hourMs + 61_000)
    await done(one.worker.step)
    expect(right(await open(two, 'b', 'another request')).isFirst).toBe(true)
    network.wait(400 * 24 * hourMs)
    await done(one.worker.step)
    expect(await open(two, 'a', 'another request')).toEqual(reused)
    expect((await done(checkout(two, right(await open(two, 'a'))))).id).toBe(id)
  })
})
