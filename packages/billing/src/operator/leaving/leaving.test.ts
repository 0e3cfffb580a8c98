import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AccountId, asText, count, HttpUrl, hourMs, type MerchantId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { Keypair, Operation } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { webhookSecret } from '../../notify/webhooks/webhooks.ts'
import { acceptLog } from '../../testing/accept-log.ts'
import type { Club } from '../../testing/club.ts'
import type { TestNetwork } from '../../testing/network.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { openPlatform, temporaryFolder } from '../../testing/platform.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { command, someone } from '../../testing/shop.ts'
import {
  type Installation,
  installationOn,
  openTwoInstallations,
  type TwoInstallations,
} from '../../testing/two-installations.ts'
import { units, walletsOn } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs

describe('a merchant that leaves for another installation', () => {
  let two: TwoInstallations
  let network: TestNetwork
  let source: Installation
  let destination: Installation
  let merchantId: MerchantId
  beforeEach(async () => {
    two = await openTwoInstallations()
    ;({ network, source, destination, merchantId } = two)
  })
  afterEach(() => two.close())

  const covered = async (club: Club, id: string) => {
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`${id} is absent`)
    return state.covered
  }

  it('charges old mandates on, each period once, and takes every payment on its way exactly once', async () => {
    const account = await two.ownOperator()
    const before = await source.club(merchantId)
    const [customer] = await done(
      before.billing.customers.createAll(command(source.now(), merchantId), [someone('ada@club.example')]),
    )
    const joined = await before.joinAs(await before.club({ trialDays: count(0) }), present(customer).id)
    await before.enrol(joined, before.payer)
    const id = present((await before.checkout(joined)).subscription_id)
    const key = await done(before.billing.merchants.createKey(command(source.now(), merchantId), []))
    await before.pass(31 * dayMs)
    await two.ledgers()
    expect(await covered(before, id)).toMatchObject({ kind: 'paid', n: 1 })
    const sold = await refundsIn(before).paid(10, network.usdc.assetId, before.other)
    const open = await before.sell()
    const memo = await before.memoOf(open.id)
    await done(before.billing.freezes.freeze(two.freezing))
    await two.ledgers(2)
    const history = await two.eventsAbout(source)

    const { beginning, end } = await done(two.exported())
    await source.restart()
    expect(statSync(source.path('merchant.export')).mode & 0o777).toBe(0o600)
    expect(beginning).toMatchObject({ merchantId, lostKeys: [] })
    // On its way: neither installation has the merchant.
    before.other.pay({ to: before.account, asset: network.usdc.assetId, parts: [units(10)], memo })
    await two.ledgers(3)
    expect(await done(destination.now().billing.leaving.inspect(source.path('merchant.export')))).toMatchObject({ end })
    await done(two.imported())
    await destination.restart()
    const arrived = await two.eventsAbout(destination)
    expect(arrived.slice(0, history.length).map(({ position: _, ...event }) => event)).toEqual(
      history.map(({ position: _, ...event }) => event),
    )
    expect(arrived.slice(history.length).map(({ type }) => type)).toEqual(['MerchantLeft', 'MerchantArrived'])

    // Nothing moves before the keys that the source has too are without weight.
    await two.ledgers()
    expect(await refused(destination.now().billing.freezes.unfreeze(two.freezing))).toMatchObject({
      _tag: 'KeysNotRotated',
      accounts: [before.account, account],
    })
    await two.rotate()
    await done(destination.now().billing.freezes.unfreeze(two.freezing))
    await two.ledgers()
    const after = await destination.club(merchantId)
    expect(await after.checkout(open.id)).toMatchObject({ status: 'completed' })
    expect(await after.payments(open.id)).toHaveLength(1)

    for (const n of [2, 3]) {
      await after.pass(31 * dayMs)
      await two.ledgers()
      expect(await covered(after, id)).toMatchObject({ kind: 'paid', n })
    }
    expect(O.isSome(await done(after.billing.merchants.authenticate(key.secret)))).toBe(true)
    const refunds = refundsIn(after)
    expect(await refunds.ended(await done(refunds.request(sold)))).toMatchObject({ status: 'succeeded' })
    const again = await after.billing.customers.createAll(command(destination.now(), merchantId), [
      someone('ada@club.example'),
    ])()
    expect(again).toMatchObject({ _tag: 'Left' })
    expect(await after.exceptions()).toEqual([])
    for (const each of [source, destination])
      expect(await two.reconciled(each)).toMatchObject({
        isOk: true,
        unexplained: [],
        missing: [],
      })
    // The source has not written a word since, and is in order.
    expect((await two.eventsAbout(source)).at(-1)?.type).toBe('MerchantLeft')
    expect(source.now().services.logStanding.now()).toEqual({ _tag: 'Sound' })
    expect(destination.now().services.logStanding.now()).toEqual({ _tag: 'Sound' })
    expect(await done(source.now().billing.freezes.refusalOf(two.scope))).toBe('left')
  }, 60_000)

  it('gives its accounts no key that the source has too, and does not move money by one', async () => {
    const settlement = { _tag: 'settlement' as const, merchantId }
    const [prepared] = await done(source.now().billing.accountKeys.prepare('testnet', settlement))
    await two.move()
    const { accountKeys } = destination.now().billing
    const [next] = await done(accountKeys.prepare('testnet', settlement))
    expect(await done(accountKeys.prepare('testnet', settlement))).toEqual([next])
    expect(present(next).to).not.toBe(present(prepared).to)
    for (const _ of [1, 2]) {
      await done(accountKeys.rotate('testnet', settlement))
      await two.ledgers(10)
      const [shown] = await done(accountKeys.show('testnet', settlement))
      expect(shown).toMatchObject({ isProven: true })
      expect(await source.now().services.vault.keysNamed('rotated/')).toHaveLength(1)
      expect(present(shown).signs).not.toBe(present(prepared).to)
      const [atSource] = await done(source.now().billing.accountKeys.show('testnet', settlement))
      expect(atSource?.signs ?? null).toBeNull()
    }
  }, 60_000)

  it('is reinstated with a recovery key that alone may change signers, once that has signed for a key made here', async () => {
    const settlement = { _tag: 'settlement' as const, merchantId }
    const recovery = Keypair.random()
    const signer = decoded(AccountId, recovery.publicKey())
    await done(network.seen().provision?.(recovery.secret()) ?? TE.right(undefined))
    await two.ledgers()
    await done(source.now().billing.accountRecovery.set('testnet', settlement, { signer, isProtected: true }))
    await two.ledgers()
    await two.move()
    const { accountKeys, accountRecovery, freezes } = destination.now().billing
    expect(await refused(accountKeys.rotate('testnet', settlement))).toMatchObject({ _tag: 'RecoveryKeyNeeded' })
    expect(await refused(freezes.unfreeze(two.freezing))).toMatchObject({ _tag: 'KeysNotRotated' })
    const prepared = await done(accountRecovery.prepare('testnet', settlement, { signer: null, days: 3 }))
    const signed = walletsOn(network).keyed(recovery.secret()).sign(present(prepared[0]).envelopeXdr)
    await done(accountRecovery.submit('testnet', settlement, [signed]))
    await two.ledgers(10)
    expect(await done(accountKeys.show('testnet', settlement))).toMatchObject([{ isProven: true }])
    await done(freezes.unfreeze(two.freezing))
    expect(await done(freezes.refusalOf(two.scope))).toBeNull()
  }, 60_000)

  it('stays suspended while the ledger gives weight to a key that no log knows', async () => {
    const club = await source.club(merchantId)
    const thief = Keypair.random()
    await done(network.seen().provision?.(thief.secret()) ?? TE.right(undefined))
    const add = Operation.setOptions({ signer: { ed25519PublicKey: thief.publicKey(), weight: 1 } })
    club.wallets.act(await club.seedOf(merchantId), [add])
    await acceptLog({ ...club, worker: source.now().worker })
    await two.ledgers()
    await two.move()
    await done(destination.now().billing.accountKeys.rotate('testnet', { _tag: 'settlement', merchantId }))
    await two.ledgers(10)
    const { freezes } = destination.now().billing
    expect(await refused(freezes.unfreeze(two.freezing))).toEqual({ _tag: 'KeysNotRotated', accounts: [club.account] })
    const remove = Operation.setOptions({
      source: club.account,
      signer: { ed25519PublicKey: thief.publicKey(), weight: 0 },
    })
    await done(network.gateway.submit(club.wallets.signedBy(thief, [remove])))
    await two.ledgers()
    await done(freezes.unfreeze(two.freezing))
  }, 60_000)

  it('refuses an export that was cut off, changed, made for another installation, or imported before', async () => {
    await two.ownOperator()
    await two.ledgers()
    await two.move()
    const path = source.path('merchant.export')
    const bytes = readFileSync(path)
    const changed = async (other: Buffer) => {
      writeFileSync(source.path('changed'), other)
      return refused(two.imported('changed'))
    }
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9)
    const altered = { _tag: 'FileAltered' }
    for (const length of [0, 40, bytes.length - 1, bytes.length - 64])
      expect(await changed(bytes.subarray(0, length))).toEqual(altered)
    expect(await changed(flipped)).toEqual(altered)
    expect(await changed(Buffer.concat([bytes, Buffer.from('\n')]))).toEqual(altered)
    const before = await destination.now().logEnd()
    // Again, it changes nothing while the merchant is suspended, and is refused afterwards.
    expect(await done(two.imported())).toMatchObject({ isNew: false })
    await two.rotate()
    await done(destination.now().billing.freezes.unfreeze(two.freezing))
    expect(await refused(two.imported())).toEqual({ _tag: 'AlreadyArrived', merchantId })
    expect(before.events).toBeGreaterThan(0)
    expect(await refused(source.now().billing.leaving.inspect(path))).toMatchObject({ _tag: 'FileForAnother' })
  }, 60_000)

  it('leaves once, for one installation, whatever copy of the source is put back', async () => {
    const to = await destination.now().billing.leaving.destination()
    await two.ledgers()
    const kept = temporaryFolder()
    await source.now().close()
    cpSync(source.folder.path, kept.path, { recursive: true })
    await source.restart()
    expect(await refused(two.exported('a', `${to.slice(0, -1)}${to.endsWith('A') ? 'B' : 'A'}`))).toEqual({
      _tag: 'DestinationUnknown',
    })
    expect(await refused(two.exported('a', await source.now().billing.leaving.destination()))).toEqual({
      _tag: 'DestinationIsHere',
    })
    const first = await done(two.exported('a'))
    expect(await done(two.exported('b'))).toEqual({ ...first, isNew: false })
    expect(await refused(two.exported('b'))).toMatchObject({ _tag: 'FileExists' })
    const third = await installationOn(network)
    const elsewhere = await third.now().billing.leaving.destination()
    await third.close()
    expect(await refused(two.exported('c', elsewhere))).toEqual({ _tag: 'MerchantLeftElsewhere', to })

    // Last night's copy: the log has not heard of the departure, and the file beside it has.
    await source.now().close()
    for (const name of ['quittance.db', 'vault.db', 'log-mark.json'])
      if (existsSync(join(kept.path, name))) cpSync(join(kept.path, name), source.path(name))
    await source.restart()
    kept.remove()
    expect(await done(source.now().billing.freezes.refusalOf(two.scope))).toBe('left')
    expect(await refused(two.exported('c'))).toEqual({ _tag: 'MerchantLeftElsewhere', to })
    expect(await refused(two.exported('c', elsewhere))).toEqual({ _tag: 'MerchantLeftElsewhere', to })
    expect(await refused(source.now().billing.freezes.unfreeze(two.freezing))).toEqual({ _tag: 'MerchantHasLeft' })
    const events = (await two.eventsAbout(source)).length
    const club = await source.club(merchantId)
    club.other.pay({ to: club.account, asset: network.usdc.assetId, parts: [units(3)], memo: null })
    await two.ledgers()
    expect(await two.eventsAbout(source)).toHaveLength(events)
  }, 60_000)

  it('does not leave while money moves, mandates name an operator account of others, or it was paid in a sandbox', async () => {
    const club = await source.club(merchantId)
    const joined = await club.join(await club.club({ trialDays: count(0) }), 'b@club.example')
    await club.enrol(joined, club.payer)
    const sold = await refundsIn(club).paid(10, network.usdc.assetId, club.other)
    await done(refundsIn(club).request(sold))
    expect(await refused(two.exported())).toMatchObject({
      _tag: 'NotQuiet',
      hindrances: [
        { what: 'outgoing', environment: 'testnet', count: 1 },
        { what: 'refunds', environment: 'testnet', count: 1 },
        { what: 'shared_operator', environment: 'testnet', count: 1 },
      ],
    })
    expect(existsSync(source.path('merchant.export'))).toBe(false)
    const played = await openPlatform(
      { ...network, seen: () => ({ ...network.seen(), isInBackups: true }) },
      source.folder.path,
    )
    const to = await destination.now().billing.leaving.destination()
    const request = { merchantId, to, path: source.path('x'), by: two.by, reason: two.reason }
    const { hindrances } = (await refused(played.billing.leaving.leave(request))) as {
      hindrances: ReadonlyArray<unknown>
    }
    expect(hindrances).toContainEqual({ what: 'sandbox', environment: 'testnet', count: 1 })
    await played.close()
    expect((await two.eventsAbout(source)).some(({ type }) => type === 'MerchantLeft')).toBe(false)
  }, 60_000)

  it('takes along what waits for its webhooks, the secrets, the requests that were answered, and the pages of its customers', async () => {
    await two.ownOperator()
    const before = await source.club(merchantId)
    const joined = await before.joinNamed(await before.club({ trialDays: count(0) }), 'c@club.example')
    await before.enrol(joined, before.payer)
    const id = present((await before.checkout(joined)).subscription_id)
    const url = decoded(HttpUrl, 'https://shop.example/hook')
    const details = { name: asText('hook'), url, events: [asText('*')], description: null }
    const hook = await done(before.billing.webhooks.create(command(source.now(), merchantId), details))
    const { logFile } = source.now().services
    present(logFile).execute(
      `INSERT INTO webhook_endpoints VALUES ('${hook.id}', 0, NULL, NULL, 0, NULL);
       INSERT INTO idempotency_claims (merchant_id, environment, key, command_id, request_hash, at, leased_until, is_bound, has_written)
         VALUES ('${merchantId}', 'testnet', 'pay out', 'c', 'h', 1, 0, 1, 1)`,
    )
    await done(before.billing.subscriptions.changeWallet(command(source.now(), merchantId), id))
    await two.ledgers()
    await two.move()
    const page = present(
      (await done(destination.now().billing.subscriptions.retrieve(two.scope, id))).authorization.update_url,
    )
    await two.rotate()
    await done(destination.now().billing.freezes.unfreeze(two.freezing))
    const after = await destination.club(merchantId)
    const session = page.replace(/^.*\/pay\//, '')
    const { transaction_xdr } = await done(after.billing.payer.transaction(session, after.other.account))
    await done(after.billing.payer.submit(session, after.other.sign(transaction_xdr)))
    await two.ledgers()
    expect(await after.subscription(id)).toMatchObject({
      authorization: { mandate: { customer: after.other.account } },
    })
    const { services, billing } = destination.now()
    const rotated = await done(billing.webhooks.retrieve(two.scope, hook.id))
    expect(rotated.url).toBe(url)
    expect(
      await webhookSecret(
        services.vault,
        asText(
          present((await two.eventsAbout(destination)).find(({ type }) => type === 'WebhookCreated')).metadata
            .commandId,
        ),
      ),
    ).toBe(hook.secret)
    expect(await services.toDo.sql.run(services.toDo.endpoints.all)).toEqual([hook.id])
    const request = { merchantId, environment: 'testnet' as const, key: 'pay out', requestHash: 'of the destination' }
    expect(await services.claims.open(request)).toEqual(E.left({ _tag: 'IdempotencyKeyReused' }))
  }, 60_000)
})
