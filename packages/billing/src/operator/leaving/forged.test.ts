import { join } from 'node:path'
import {
  type AccountId,
  ApiKeyId,
  AuthorizationId,
  asText,
  Channel,
  CustomerId,
  channelId,
  Intent,
  type IntentDetails,
  type KeyedHash,
  MandateId,
  type MerchantId,
  ProductId,
  Subscription,
  type SubscriptionDetails,
  SubscriptionId,
  unixMs,
} from '@quittance/domain'
import { decoded, exampleId } from '@quittance/domain/testing'
import { begun, inLedgerAt } from '@quittance/domain/testing/subscription-examples'
import { localSigner } from '@quittance/ledger'
import { makeOwnKeys, operatorAccount, setUpAccount } from '../../features/outgoing/signing-accounts.ts'
import { execute } from '../../kernel/execute.ts'
import type { Network } from '../../services/services.ts'
import { OtherKeyKept } from '../../stores/vault/vault.ts'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done, present, refused, right } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../../testing/platform.ts'
import { command, openShop, someone } from '../../testing/shop.ts'
import { importPurpose } from './leave.ts'
import { type Beginning, type EventLine, type Line, lineCounter } from './lines.ts'
import { destinationNamed, openSealed, writeSealed } from './sealed-file.ts'

const [by, reason] = [asText('Ada'), asText('another operator')]
const asReal = (network: Network): Network => ({ ...network, isInBackups: false })
type Content = Exclude<Line, { readonly kind: 'end' }>
const thief = localSigner(Buffer.alloc(32, 7)).publicKey
const thiefsSeed = Buffer.alloc(32, 7).toString('base64')

describe('an export that its exporter has written by hand', () => {
  const folders = [temporaryFolder(), temporaryFolder()] as const
  let network: TestNetwork
  let source: TestPlatform
  let destination: TestPlatform
  let merchantId: MerchantId
  let victim: MerchantId
  let operator: AccountId
  let own: AccountId
  let lines: ReadonlyArray<Content>
  let path: string

  beforeAll(async () => {
    const started = await startNetwork()
    network = { ...started, seen: () => asReal(started.seen()) }
    source = await openPlatform(network, folders[0].path)
    destination = await openPlatform(network, folders[1].path)
    merchantId = await openShop(source)
    victim = await openShop(destination)
    own = (await done(source.services.settlementOf(merchantId, 'testnet'))).account
    for (let passed = 0; passed < 8; passed++) {
      network.wait(30_000)
      for (const each of [source, destination]) await done(each.worker.step)
    }
    const { services } = destination
    await makeOwnKeys(services, present(services.networks.testnet), 'testnet')
    const made = present(await operatorAccount(services, 'testnet'))
    await setUpAccount(services, present(services.networks.testnet), made)
    operator = made.account
    path = join(folders[0].path, 'honest')
    const to = await destination.billing.leaving.destination()
    await done(source.billing.leaving.leave({ merchantId, to, path, by, reason }))
    const sealed = openSealed(path, await services.vault.carriage.own(importPurpose))
    if (sealed._tag === 'Left') throw new Error(sealed.left._tag)
    lines = [...sealed.right.lines()]
      .map((text) => JSON.parse(text) as Line)
      .filter((line): line is Content => line.kind !== 'end')
  })
  afterAll(async () => {
    await source.close()
    await destination.close()
    await network.close()
    for (const folder of folders) folder.remove()
  })

  let forgeries = 0
  /** An export with other lines, sealed as the source seals. */
  const forge = async (changed: ReadonlyArray<Content>): Promise<string> => {
    forgeries += 1
    const forged = join(folders[0].path, `forged-${forgeries}`)
    const counter = lineCounter()
    const texts = async function* () {
      for (const line of changed) {
        const text = JSON.stringify(line)
        counter.take(line, text)
        yield text
      }
      yield JSON.stringify(counter.end())
    }
    await writeSealed(forged, present(destinationNamed(await destination.billing.leaving.destination())), texts())
    return forged
  }
  /** What the destination says of it. */
  const said = async (changed: ReadonlyArray<Content>) => {
    const forged = await forge(changed)
    const before = await destination.logEnd()
    const arrived = await refused(destination.billing.leaving.arrive({ path: forged, digest: null, by }))
    expect(await refused(destination.billing.leaving.inspect(forged))).toEqual(arrived)
    expect(await destination.logEnd()).toEqual(before)
    return arrived
  }
  const beginningWith = (change: (beginning: Beginning) => Beginning): ReadonlyArray<Content> =>
    lines.map((line) => (line.kind === 'merchant' ? change(line) : line))
  /** An event at the end. Its hash is wrong, which is looked at later. */
  const event = (stream: string, type: string, data: EventLine['data'], owner: string = merchantId): EventLine => {
    const like = present(lines.find((line): line is EventLine => line.kind === 'event'))
    return {
      ...like,
      stream,
      type,
      data,
      id: `forged ${type}`,
      revision: 0,
      metadata: { ...like.metadata, merchantId: owner },
    }
  }
  const victims = async () => (await done(destination.services.settlementOf(victim, 'testnet'))).account
  const intent = (details: Partial<IntentDetails>, ...after: ReadonlyArray<string>): ReadonlyArray<Content> => {
    const action = { _tag: 'set_recovery_signer' as const, signer: thief, isProtected: true }
    const data = { class: 'rotation' as const, owner: asText(own), source: own, action, memo: null, ...details }
    const recorded = Intent.events.encodeEvent({ type: 'IntentRecorded', data })
    const stream = 'intent-op_0000000000000000000001'
    const ended = { reason: 'withdrawn' }
    return [
      event(stream, recorded.type, recorded.data),
      ...after.map((type) => event(stream, type, type === 'IntentGivenUp' ? ended : {})),
    ]
  }
  const foreign = { _tag: 'ForeignContent' }
  const ownSubscription = `subscription-${exampleId(SubscriptionId, 9)}`
  const started = (changed: Partial<SubscriptionDetails['mandate']>): EventLine => {
    const details = begun(unixMs(1_790_000_000_000))
    const decided = Subscription.decider.decide({
      type: 'StartSubscription',
      ...details,
      mandate: { ...details.mandate, ...changed },
    })(Subscription.decider.initial)
    const { type, data } = Subscription.events.encodeEvent(present(right(decided)[0]))
    return event(ownSubscription, type, data)
  }

  it('is taken if it is honest', async () => {
    expect(await done(destination.billing.leaving.inspect(path))).toMatchObject({ beginning: { merchantId } })
  })

  it('sends nothing: an intent in it that has not ended is refused, whosever account it names', async () => {
    for (const each of [own, operator, await victims()])
      expect(await said([...lines, ...intent({ source: each, owner: asText(each) })])).toMatchObject(foreign)
    expect(await said([...lines, ...intent({}, 'IntentGivenUp')])).toMatchObject(foreign)
  })

  it('names no account of somebody else, not even in what has ended', async () => {
    const ended = ['IntentGivenUp', 'IntentReported']
    for (const each of [operator, await victims()]) {
      expect(await said([...lines, ...intent({ source: each }, ...ended)])).toMatchObject(foreign)
      expect(await said([...lines, ...intent({ owner: asText(each) }, ...ended)])).toMatchObject(foreign)
      const sponsored = { _tag: 'rotate_key' as const, to: thief, sponsor: each }
      expect(await said([...lines, ...intent({ action: sponsored }, ...ended)])).toMatchObject(foreign)
      const stream = `${Channel.category}-${channelId(each, 7n as never, 0)}`
      const taken = event(stream, 'SequenceUsed', { transactionHash: 'ab'.repeat(32) }, 'platform')
      expect(await said([...lines, taken])).toMatchObject(foreign)
      expect(await said(beginningWith((line) => ({ ...line, foreign: [each] })))).toMatchObject(foreign)
    }
  })

  it('holds no stream and no settlement account of another merchant', async () => {
    const [account, stream] = [await victims(), `merchant-${merchantId}`]
    const settlement = present(
      lines.find((line): line is EventLine => line.kind === 'event' && line.type === 'SettlementAccountSet'),
    )
    const closed = { environment: 'testnet', account, epoch: 1, closing: [], setUpThrough: 9, opening: [], at: 1 }
    for (const each of [
      event(`merchant-${victim}`, 'MerchantCreated', { name: 'x' }),
      event(stream, 'SettlementBooksClosed', closed),
      event(stream, settlement.type, { ...settlement.data, account, custody: 'merchant' }),
      event('reservation-x', 'Claimed', { owner: victim }, 'platform'),
    ])
      expect(await said([...lines, each])).toMatchObject(foreign)
  })

  it('places no key for an account that is not proven to be the merchant’s', async () => {
    const account = await victims()
    const accounts = (more: AccountId) =>
      beginningWith((line) => ({
        ...line,
        accounts: [...line.accounts, { environment: 'testnet', account: more, holds: 'settlement' }],
      }))
    for (const each of [account, operator, thief]) {
      const seed = { kind: 'seed' as const, name: `rotated/testnet/${each}/0001`, seed: thiefsSeed }
      expect(await said([...accounts(each), seed])).toMatchObject(foreign)
      expect(await said([...lines, seed])).toMatchObject(foreign)
    }
    const first = { kind: 'seed' as const, name: `settlement/testnet/${victim}`, seed: thiefsSeed }
    expect(await said([...lines, first])).toMatchObject(foreign)
    const ofOwn = { kind: 'seed' as const, name: `rotated/testnet/${own}/../x`, seed: thiefsSeed }
    expect(await said([...lines, ofOwn])).toMatchObject(foreign)
    expect(await destination.services.vault.keysNamed(`rotated/testnet/${account}`)).toEqual([])
  })

  it('erases no customer of another merchant, nor at the next start', async () => {
    const made = await done(
      destination.billing.customers.createAll(command(destination, victim), [someone('v@shop.example')]),
    )
    const { id } = present(made[0])
    const nothing = { profile: null, emailHash: null, phoneHash: null }
    const erased = { kind: 'subject' as const, subject: id, key: null }
    const forged = await forge([...lines, event(`customer-${id}`, 'CustomerCreated', nothing), erased])
    const { vault } = destination.services
    expect(await refused(destination.billing.leaving.arrive({ path: forged, digest: null, by }))).toEqual({
      _tag: 'StreamExists',
      stream: `customer-${id}`,
    })
    expect(await vault.erased()).toEqual([])
    const place = { subjects: [{ subject: id, key: 'erased' as const }], seeds: [], hashes: [] }
    await expect(vault.carriage.place(place)).rejects.toThrow(OtherKeyKept)
    expect(await vault.carriage.subject(id)).toBeInstanceOf(Buffer)
    expect(await vault.erased()).toEqual([])
  })

  it('merges no customers but its own, and these in no circle', async () => {
    const [one, two, other] = [exampleId(CustomerId, 1), exampleId(CustomerId, 2), exampleId(CustomerId, 3)]
    const nothing = { profile: null, emailHash: null, phoneHash: null }
    const own = [one, two].map((id) => event(`customer-${id}`, 'CustomerCreated', nothing))
    const merge = (from: string, into: string, stream = `customer_merges-${merchantId}/testnet`) =>
      event(stream, 'CustomersMerged', { from, into, by: 'Ada', reason: 'x' })
    const balance = { granted: '0', consumed: '0', reversed: '0', grants: [] }
    const handed = (from: string, to: string) =>
      event(`credits-${from}/prod_1/000000001`, 'BooksHandedOver', { to: `${to}/prod_1`, balance })
    for (const forged of [
      [merge(one, other)],
      [merge(other, one)],
      [merge(one, one)],
      [merge(one, two), merge(two, one)],
      [merge(one, two, `customer_merges-${merchantId}/mainnet`)],
      [merge(one, two, 'customer_merges-x')],
      [handed(one, one)],
      [handed(one, two)],
      [merge(one, two), handed(two, one)],
    ])
      expect(await said([...lines, ...own, ...forged])).toMatchObject(foreign)
    const honest = await forge([...lines, ...own, merge(one, two), handed(one, two)])
    expect(await done(destination.billing.leaving.inspect(honest))).toMatchObject({ beginning: { merchantId } })
  })

  it('names no key, no mandate and no request of another merchant, which its own rows would hide', async () => {
    const details = begun(unixMs(1_790_000_000_000))
    const context = { ...command(destination, victim), environment: 'testnet' as const }
    const start = Subscription.decider.decide({ type: 'StartSubscription', ...details })
    const authorizationId = exampleId(AuthorizationId, 3)
    const subscription = exampleId(SubscriptionId, 1)
    await execute(destination.services.store)(Subscription, subscription, context, start)
    const ask = Subscription.decider.decide({ type: 'ChangeWallet', authorizationId, at: details.startedAt })
    await execute(destination.services.store)(Subscription, subscription, command(destination, victim), ask)
    const scope = { merchantId: victim, environment: 'testnet' as const }
    const { key } = present((await (await destination.shown()).apiKeys.page({ ...scope, limit: 1 })).rows[0]).row
    const stream = `merchant-${merchantId}`
    const planted: ReadonlyArray<readonly [named: string, EventLine]> = [
      [`keyHash ${key.keyHash}`, event(stream, 'ApiKeyCreated', { ...key, keyId: exampleId(ApiKeyId, 1) })],
      [`keyId ${key.keyId}`, event(stream, 'ApiKeyCreated', { ...key, keyHash: 'ab'.repeat(32) })],
      [`keyId ${key.keyId}`, event(stream, 'ApiKeyRevoked', { keyId: key.keyId })],
      [`mandateId ${details.mandate.mandateId}`, started({ mandateId: details.mandate.mandateId })],
    ]
    const asked = event(ownSubscription, 'AuthorizationWithdrawn', { authorizationId, at: details.startedAt })
    const fresh = started({ mandateId: decoded(MandateId, 'ef'.repeat(32)), operator: own })
    expect(await said([...lines, fresh, asked])).toEqual({
      ...foreign,
      what: `authorizationId ${authorizationId} in ${asked.type} of ${ownSubscription}`,
    })
    for (const [named, line] of planted)
      expect(await said([...lines, line])).toEqual({ ...foreign, what: `${named} in ${line.type} of ${line.stream}` })
  })

  it('leaves no mandate alive that the source may charge', async () => {
    const mandateId = decoded(MandateId, 'cd'.repeat(32))
    const living = started({ mandateId })
    const { operator: sources } = begun(unixMs(1_790_000_000_000)).mandate
    const what = `a living mandate of ${living.stream}, which ${sources} may charge`
    expect(await said([...lines, living])).toEqual({ ...foreign, what })
    const end = { mandateId, by: 'operator', ...inLedgerAt(unixMs(1_790_000_001_000)) }
    const ended = { ...event(living.stream, 'MandateEnded', end), revision: 1 }
    await done(destination.billing.leaving.inspect(await forge([...lines, living, ended])))
    await done(destination.billing.leaving.inspect(await forge([...lines, started({ mandateId, operator: own })])))
  })

  it('holds no history at which a read model stops: the installation would never open again', async () => {
    const archived = event(`product-${exampleId(ProductId, 1)}`, 'ProductArchived', {})
    const what = `${archived.type} of ${archived.stream}, at which a read model stops`
    expect(await said([...lines, archived])).toEqual({ ...foreign, what })
  })

  it('places no key where an event of it is not what was recorded', async () => {
    const altered = lines.map((line) =>
      line.kind === 'event' ? { ...line, recordedAt: line.recordedAt + 1, id: 'x' } : line,
    )
    const forged = await forge(altered)
    const taken = await refused(destination.billing.leaving.arrive({ path: forged, digest: null, by }))
    expect(taken).toEqual({ _tag: 'FileAltered' })
    const { vault } = destination.services
    expect(lines.some(({ kind }) => kind === 'seed')).toBe(true)
    expect(await vault.keysNamed(`settlement/testnet/${merchantId}`)).toEqual([])
  })

  it('delivers nothing to an endpoint of another merchant', async () => {
    const row = { webhook_id: 'wh_other', merchant_id: merchantId, environment: 'testnet', kind: 'event' }
    expect(await said([...lines, { kind: 'row', table: 'webhook_deliveries', row }])).toEqual({
      ...foreign,
      what: 'the endpoint wh_other',
    })
  })

  it('reserves no account that its streams do not set', async () => {
    const hash = 'ab'.repeat(32) as KeyedHash
    const text = `testnet ${await victims()}`
    const reserved = event(`reservation-${hash}`, 'Claimed', { owner: merchantId }, 'platform')
    const line = { kind: 'hash' as const, purpose: 'settlement account', text, hash }
    expect(await said([...lines, reserved, line])).toEqual({ ...foreign, what: 'a hash of "settlement account"' })
  })
})
